import { afterEach, expect, test, vi } from "vitest";
import { type AgentwireError, connect } from "../../../src/client/index.js";

const URL = "http://127.0.0.1:4750";

afterEach(() => vi.unstubAllGlobals());

/** Why a page can't connect to whom it may not hear: to it, nobody answered. */
async function refusal(): Promise<AgentwireError> {
  const fetch = (): Promise<never> => Promise.reject(new TypeError("Failed to fetch"));
  return connect({ url: URL, transport: "http", fetch }).then(
    () => expect.fail("it connected"),
    (error) => error,
  );
}

test.each([
  ["in Node", undefined, undefined],
  ["on a page that the gateway's own address serves", URL, undefined],
  ["on a page from elsewhere", "https://ui.example", expect.stringContaining('"--allow-origin https://ui.example"')],
  ["on a page from a file", "null", expect.stringContaining("Serve the page over HTTP")],
])("%s, an answer that does not come has the hint that helps", async (_where, origin, hint) => {
  vi.stubGlobal("origin", origin);
  const error = await refusal();
  expect(error).toMatchObject({ kind: "connection", message: expect.stringContaining("Failed to fetch") });
  expect(error.hint).toEqual(hint);
});
