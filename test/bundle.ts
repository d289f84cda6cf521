import { type BuildResult, build } from "esbuild";

/** Bundles a module as a web page would load it. What is of Node is not found, which fails. */
export function bundleForBrowser(entryPoint: string): Promise<BuildResult<{ write: false; metafile: true }>> {
  return build({
    entryPoints: [entryPoint],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    write: false,
    metafile: true,
  });
}
