import { describe, expect, test } from "vitest";
import { base64OfText, filePath, inlineFile, textOfBase64 } from "../../../../adapters/shared/file-url.js";

describe("the URL of a file", () => {
  test.each([
    ["data:image/png;base64,AA==", { mime: "image/png", data: "AA==" }],
    ["data:image/png,AA", undefined],
    ["file:///a", undefined],
  ])("as what it holds: %s", (url, file) => {
    expect(inlineFile(url)).toEqual(file);
  });

  test.each([
    ["file:///a/b%20c.txt", "/a/b c.txt"],
    ["file://localhost/a", "/a"],
    ["file:///C:/a", "C:/a"],
    ["https://a/b", undefined],
    ["data:text/plain;base64,", undefined],
  ])("as a path: %s", (url, path) => {
    expect(filePath(url)).toBe(path);
  });

  test("text goes through base64 as UTF-8", () => {
    const text = "ü 漢字 😀\n";
    expect(base64OfText(text)).toBe(Buffer.from(text, "utf8").toString("base64"));
    expect(textOfBase64(base64OfText(text))).toBe(text);
  });
});
