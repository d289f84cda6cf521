import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { ADAPTERS, type AnyAdapter, type FileSupport } from "../../../adapters/index.js";
import type { PromptPart } from "../../../schemas/index.js";
import { GatewayError } from "../../../src/gateway-error.js";
import { readyFiles } from "../../../src/session/prompt-files.js";
import { readBlob } from "../../../src/session/read-blob.js";
import type { Store } from "../../../src/store/store.js";
import { Recorder } from "../store/recorder.js";
import * as make from "../store/samples.js";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-files-")));
const inside = join(folder, "a file.txt");
writeFileSync(inside, "text");
symlinkSync("/etc/hostname", join(folder, "leads-out"));
afterAll(() => rmSync(folder, { recursive: true }));

const PNG = Buffer.alloc(90, 7);
const url = (path: string) => pathToFileURL(path).href;
const file = (url: string, mime = "image/png"): PromptPart => ({ type: "file", mime, url });
const inline = (mime: string, data = "AA==") => file(`data:${mime};base64,${data}`, mime);

function storeWithBlob(): { store: Store; ref: string } {
  const recorder = new Recorder({ largeChars: 50 });
  const part = { sessionID: "ses_1", messageID: "msg_1", id: "prt_1", type: "file" as const, mime: "image/png" };
  recorder.given(
    make.created(make.session("ses_1")),
    make.message(make.userMessage("ses_1", "msg_1")),
    make.partUpdated({ ...part, url: `data:image/png;base64,${PNG.toString("base64")}` }),
  );
  const stored = recorder.store.part("prt_1");
  return { store: recorder.store, ref: (stored?.type === "file" && stored.blobs?.["/url"]?.ref) || "" };
}

const { store, ref } = storeWithBlob();

function adapterTaking(files: FileSupport | undefined): AnyAdapter {
  const { files: _, ...rest } = Object.values(ADAPTERS)[0] as AnyAdapter;
  return { ...rest, ...(files && { files }) };
}

const PICTURES: FileSupport = { inline: ["image/", "application/pdf"], linked: ["*"] };

function ready(part: PromptPart, files: FileSupport | undefined = PICTURES, roots: string[] = []) {
  return readyFiles([{ type: "text", text: "see" }, part], { adapter: adapterTaking(files), store, roots })[1];
}

function refusal(run: () => unknown): readonly unknown[] {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(GatewayError);
    const { kind, detail } = error as GatewayError;
    return [kind, detail.field];
  }
  return expect.fail("nothing was refused");
}

describe("the files of a prompt", () => {
  test.each([
    ["a picture", inline("image/webp")],
    ["a document", inline("application/pdf")],
    ["a file on this machine", file(url(inside), "text/plain")],
    ["text", { type: "text", text: "only" } as const],
  ])("are taken as they are: %s", (_, part) => {
    expect(ready(part)).toEqual(part);
  });

  test("come in base64 however they were written", () => {
    const text = { inline: ["text/"], linked: [] };
    const written = file("data:text/plain;charset=utf-8,a%20%C3%BC", "text/plain");
    expect(ready(written, text)).toEqual(inline("text/plain", Buffer.from("a ü").toString("base64")));
  });

  test("come from what an earlier part kept apart", () => {
    expect(ready(file(`blob:${ref}`))).toEqual(inline("image/png", PNG.toString("base64")));
  });

  test.each<[string, PromptPart, string, string, string[]?]>([
    ["a kind that the agent does not take", inline("audio/wav"), "not_supported", "mime"],
    ["a data URL that is not well encoded", file("data:image/png,%zz"), "invalid_params", "url"],
    ["base64 that is none", file("data:image/png;base64,a b"), "invalid_params", "url"],
    ["a kind that its URL contradicts", file("data:image/png;base64,AA==", "image/gif"), "invalid_params", "mime"],
    ["a path", file("/tmp/x.png"), "invalid_params", "url"],
    ["an address in the network", file("https://example.invalid/x.png"), "invalid_params", "url"],
    ["a file that is not there", file(url(join(folder, "missing"))), "invalid_params", "url"],
    ["a directory", file(url(folder)), "invalid_params", "url"],
    ["a file of another machine", file("file://elsewhere/x.png"), "invalid_params", "url"],
    ["a file outside the roots", file(url("/etc/hostname")), "forbidden", "url", [folder]],
    ["a link that leads out of them", file(url(join(folder, "leads-out"))), "forbidden", "url", [folder]],
    ["a blob that there is not", file(`blob:sha256-${"0".repeat(64)}`), "not_found", "url"],
  ])("are refused with their field: %s", (_, part, kind, field, roots = []) => {
    expect(refusal(() => ready(part, PICTURES, roots))).toEqual([kind, `parts[1].${field}`]);
  });

  test("are refused by an agent that takes none, whatever they are", () => {
    const adapter = adapterTaking(undefined);
    const none = () => readyFiles([inline("image/png")], { adapter, store, roots: [] });
    expect(refusal(none)).toEqual(["not_supported", "parts[0].type"]);
  });
});

describe("reading a blob", () => {
  test("gives it whole, or a piece of its bytes", () => {
    const whole = { mime: "image/png", bytes: PNG.length, encoding: "base64" };
    expect(readBlob(store, { ref })).toEqual({ ...whole, data: PNG.toString("base64") });
    const piece = readBlob(store, { ref, offset: 88, length: 10 });
    expect(piece).toEqual({ ...whole, data: PNG.subarray(88).toString("base64") });
    expect(readBlob(store, { ref, offset: 90 })).toEqual({ ...whole, data: "" });
  });

  test("says what is wrong", () => {
    expect(refusal(() => readBlob(store, { ref: "sha256-x" }))).toEqual(["not_found", "ref"]);
    expect(refusal(() => readBlob(store, { ref, offset: 91 }))).toEqual(["invalid_params", "offset"]);
  });
});
