import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll } from "vitest";
import { bundleForBrowser } from "../bundle.js";

/** As strict as a careful site is: no code from text, nothing from elsewhere, no HTML from strings. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src http://127.0.0.1:* ws://127.0.0.1:*",
  "require-trusted-types-for 'script'",
].join("; ");

const pathOf = (name: string): string => fileURLToPath(new URL(`page/${name}`, import.meta.url));
const html = readFileSync(pathOf("page.html"));
const servers: Server[] = [];
let script = "";

beforeAll(async () => {
  script = (await bundleForBrowser(pathOf("page.ts"))).outputFiles[0]?.text ?? "";
});

afterAll(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** Serves the page from an origin of its own, until the tests of the file are over. */
export async function servePage(): Promise<string> {
  const server = createServer(({ url }, response) => {
    const [type, body] = url === "/page.js" ? ["text/javascript", script] : ["text/html", html];
    response.setHeader("content-security-policy", CONTENT_SECURITY_POLICY).setHeader("content-type", type).end(body);
  });
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
