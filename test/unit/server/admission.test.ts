import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { type AdmissionPolicy, checkSource, checkToken } from "../../../src/server/admission.js";
import { isAllowedHost } from "../../../src/server/host-header.js";
import { isLoopback } from "../../../src/server/loopback.js";

const TOKEN = "t".repeat(43);
const policy: AdmissionPolicy = { port: 4096, allowedHosts: [], allowRemote: false, allowedOrigins: [], token: TOKEN };
const request = (headers: Record<string, string>) => ({ headers }) as unknown as IncomingMessage;

describe("the Host header", () => {
  test.each([
    ["127.0.0.1:4096", true],
    ["127.8.9.1:4096", true],
    ["localhost:4096", true],
    ["LOCALHOST:4096", true],
    ["[::1]:4096", true],
    ["localhost:4097", false],
    ["localhost", false],
    ["evil.example:4096", false],
    ["127.0.0.1.evil.example:4096", false],
    ["localhost.evil.example:4096", false],
    ["127.1:4096", false],
    ["192.168.1.5:4096", false],
    ["localhost:4096@evil.example", false],
    ["", false],
    [undefined, false],
  ])("%s: %s", (header, allowed) => {
    expect(isAllowedHost(header, policy)).toBe(allowed);
  });

  test("may leave out the default port", () => {
    expect(isAllowedHost("localhost", { ...policy, port: 80 })).toBe(true);
  });

  test("names that were allowed count with their port, or with any when they have none", () => {
    const named = { ...policy, allowedHosts: ["Tunnel.example", "ui.example:8443"] };
    expect(isAllowedHost("tunnel.example", named)).toBe(true);
    expect(isAllowedHost("tunnel.example:99", named)).toBe(true);
    expect(isAllowedHost("ui.example:8443", named)).toBe(true);
    expect(isAllowedHost("ui.example:4096", named)).toBe(false);
  });

  test("beyond loopback, addresses count and names still do not", () => {
    const remote = { ...policy, allowRemote: true };
    expect(isAllowedHost("192.168.1.5:4096", remote)).toBe(true);
    expect(isAllowedHost("[fd00::1]:4096", remote)).toBe(true);
    expect(isAllowedHost("evil.example:4096", remote)).toBe(false);
  });
});

describe("the Origin header", () => {
  const host = "localhost:4096";

  test.each(["http://localhost:4096", "http://localhost:3000", "null", "https://evil.example", ""])(
    "%j is not allowed by default",
    (origin) => {
      expect(() => checkSource(request({ host, origin }), policy)).toThrow(/origin/);
    },
  );

  test("absent is fine, and so is one that was allowed", () => {
    const open = { ...policy, allowedOrigins: ["https://ui.example"] };
    expect(() => checkSource(request({ host }), policy)).not.toThrow();
    expect(() => checkSource(request({ host, origin: "https://ui.example" }), open)).not.toThrow();
    expect(() => checkSource(request({ host, origin: "https://ui.example.evil.example" }), open)).toThrow();
    expect(() => checkSource(request({ host, origin: "http://ui.example" }), open)).toThrow();
  });
});

describe("the token", () => {
  test.each<[string, Record<string, string>, boolean]>([
    ["as a header", { authorization: `Bearer ${TOKEN}` }, true],
    ["as a header in lower case", { authorization: `bearer ${TOKEN}` }, true],
    ["as a subprotocol", { "sec-websocket-protocol": `agentwire, agentwire.token.${TOKEN}` }, true],
    ["as a subprotocol in the other order", { "sec-websocket-protocol": `agentwire.token.${TOKEN},agentwire` }, true],
    [
      "as the only subprotocol, which could not be answered",
      { "sec-websocket-protocol": `agentwire.token.${TOKEN}` },
      false,
    ],
    ["wrong", { authorization: `Bearer ${TOKEN}x` }, false],
    [
      "wrong in the header, right as a subprotocol",
      { authorization: "Bearer x", "sec-websocket-protocol": `agentwire, agentwire.token.${TOKEN}` },
      false,
    ],
    ["with another scheme", { authorization: `Basic ${TOKEN}` }, false],
    ["empty", { authorization: "Bearer " }, false],
    ["absent", {}, false],
  ])("%s", (_name, headers, allowed) => {
    const check = () => checkToken(request(headers), policy);
    if (allowed) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ kind: "unauthorized" }));
  });

  test("is not asked for where there is none", () => {
    expect(() => checkToken(request({}), { ...policy, token: null })).not.toThrow();
  });
});

test.each([
  ["127.0.0.1", true],
  ["127.1.2.3", true],
  ["::1", true],
  ["[::1]", true],
  ["localhost", true],
  ["0.0.0.0", false],
  ["::", false],
  ["127.evil.example", false],
  ["192.168.0.1", false],
])("%s is loopback: %s", (host, loopback) => {
  expect(isLoopback(host)).toBe(loopback);
});
