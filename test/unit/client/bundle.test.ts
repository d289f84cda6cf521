import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { bundleForBrowser } from "../../bundle.js";

const MOST_BYTES = 15_000;

test("the client is small, and runs in a browser: no validator, no package, nothing of Node, no code from text", async () => {
  const { outputFiles, metafile } = await bundleForBrowser("src/client/index.ts");
  const [code] = outputFiles;
  expect(gzipSync(code?.contents ?? "").length).toBeLessThan(MOST_BYTES);
  const inputs = Object.keys(metafile.inputs);
  expect(inputs.filter((path) => !/^(src\/client|src\/store|schemas)\//.test(path))).toEqual([]);
  expect(code?.text).not.toMatch(/\b(process|Buffer|require|setImmediate|__dirname|eval|Function)\b/);
});
