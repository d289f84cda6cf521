import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";

const MOST_BYTES = 15_000;

test("the client is small, and runs in a browser: no validator, no package, nothing of Node", async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: ["src/client/index.ts"],
    bundle: true,
    minify: true,
    format: "esm",
    // What is of Node would not be found.
    platform: "browser",
    target: "es2022",
    write: false,
    metafile: true,
  });
  const [code] = outputFiles;
  expect(gzipSync(code?.contents ?? "").length).toBeLessThan(MOST_BYTES);
  const inputs = Object.keys(metafile.inputs);
  expect(inputs.filter((path) => !/^(src\/client|src\/store|schemas)\//.test(path))).toEqual([]);
  expect(code?.text).not.toMatch(/\b(process|Buffer|require|setImmediate|__dirname)\b/);
});
