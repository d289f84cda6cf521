import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedactor, redactJson } from "../../src/redact.js";

const redact = createRedactor({ env: {} });

describe("by what stands before it", () => {
  test.each([
    ["a header", "GET / Authorization: Bearer abc.def-123 Host: x", "GET / Authorization: Bearer [redacted] Host: x"],
    ["another scheme", "authorization: Basic dXNlcjpwYXNz", "authorization: Basic [redacted]"],
    ["a header without a scheme", "Authorization=hunter2", "Authorization=[redacted]"],
    ["a proxy's", "Proxy-Authorization: Basic Zm9v", "Proxy-Authorization: Basic [redacted]"],
    ["a cookie", "Cookie: a=1; b=2", "Cookie: [redacted]; b=2"],
    ["an API's header", "x-api-key: 0123-4567", "x-api-key: [redacted]"],
    ["a bearer token alone", "sent bearer 0123456789abcdef", "sent bearer [redacted]"],
    ["a subprotocol", "agentwire, agentwire.token.AbC-_1", "agentwire, agentwire.token.[redacted]"],
    ["a query", "/event?token=abc&after=1", "/event?token=[redacted]&after=1"],
    ["a query's key", "https://x/?api_key=abc#top", "https://x/?api_key=[redacted]"],
    [
      "a variable",
      "ANTHROPIC_API_KEY=abc AWS_SECRET_ACCESS_KEY='d e'",
      "ANTHROPIC_API_KEY=[redacted] AWS_SECRET_ACCESS_KEY='[redacted]'",
    ],
    [
      "a variable of another name",
      "DB_PASSWORD=pg; GITHUB_TOKEN=gh",
      "DB_PASSWORD=[redacted]; GITHUB_TOKEN=[redacted]",
    ],
    ["an option", "mycli --api-key abc --model m", "mycli --api-key [redacted] --model m"],
    ["an option with =", "mycli --auth-token=abc -v", "mycli --auth-token=[redacted] -v"],
    ["JSON", '{"password":"a b c","user":"u"}', '{"password":"[redacted]","user":"u"}'],
    ["JSON in JSON", '{"line":"{\\"accessToken\\": \\"abc\\"}"}', '{"line":"{\\"accessToken\\": \\"[redacted]\\"}"}'],
    [
      "an object as Node prints it",
      "{ headers: { authorization: 'Bearer abc' } }",
      "{ headers: { authorization: 'Bearer [redacted]' } }",
    ],
    ["a URL's password", "postgres://me:pass@db/x", "postgres://me:[redacted]@db/x"],
  ])("%s", (_, text, expected) => expect(redact(text)).toBe(expected));
});

describe("by its shape", () => {
  test.each([
    ["Anthropic's", `sk-ant-api03-${"a".repeat(40)}`],
    ["OpenAI's", `sk-proj-${"A1_".repeat(20)}`],
    ["Stripe's", "sk_live_0123456789abcdef"],
    ["GitHub's", `ghp_${"a1".repeat(18)}`],
    ["GitHub's newer one", `github_pat_${"a1".repeat(20)}`],
    ["GitLab's", "glpat-0123456789abcdefghij"],
    ["Slack's", "xoxb-123456789012-abcdef"],
    ["AWS's", "AKIAIOSFODNN7EXAMPLE"],
    ["Google's", `AIza${"a".repeat(35)}`],
    ["a JSON web token", "eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl"],
    ["a private key", "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----"],
    ["a private key that was cut", "-----BEGIN PRIVATE KEY-----\nMIIE"],
  ])("%s", (_, secret) => expect(redact(`before ${secret} `.trim())).toMatch(/^before \[redacted\]$/));
});

describe("by its value", () => {
  test("what is named, also as it stands in JSON", () => {
    const known = createRedactor({ env: {}, secrets: ['to"ken', "to"] });
    expect(known(`a to"ken b ${JSON.stringify({ x: 'to"ken' })}`)).toBe('a [redacted] b {"x":"[redacted]"}');
  });

  test("what the environment names as secret, and nothing that is too short to be one", () => {
    const env = { MY_KEY: "correct-horse", MY_TOKENS: "1", PATH: "/usr/local/bin", NPM_PASSWORD: "a+b(c)d*e" };
    const known = createRedactor({ env });
    expect(known("correct-horse 1 /usr/local/bin a+b(c)d*e")).toBe("[redacted] 1 /usr/local/bin [redacted]");
  });

  test("an empty secret is none", () => {
    expect(createRedactor({ env: { MY_KEY: "" }, secrets: [""] })("text")).toBe("text");
  });
});

describe("what is no secret stays", () => {
  test.each([
    "a request failed",
    '{"level":30,"tokens":{"input":5},"max_tokens":4096,"key":"value"}',
    "Unexpected token } in JSON at position 5",
    "Bearer authentication failed",
    "task-list-of-the-monkey-in-the-risk-free-zone",
    "src/keys/token.ts:12:5",
    "https://example.org:8080/path@2",
  ])("%s", (text) => expect(redact(text)).toBe(text));
});

/** Strings that come close to what is looked for, with all that JSON escapes. */
const piece = fc.constantFrom(
  ...[
    "token",
    "authorization",
    "cookie",
    "password",
    "bearer",
    "--secret",
    "agentwire.token.",
    "-----BEGIN PRIVATE KEY-----",
  ],
  ...[
    "-----END PRIVATE KEY-----",
    "://a:b@",
    ":",
    "=",
    " ",
    '"',
    "'",
    "\\",
    "\n",
    "{",
    "}",
    "[",
    ",",
    "abc123",
    "s3cr3t\\",
    's"t',
  ],
);
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
const name = fc.constantFrom("msg", "token", "authorization", "stderr", "a:");
const value = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), fc.array(text, { maxLength: 2 }));

test("JSON is JSON afterwards, whatever stands in it, also JSON", () => {
  const known = createRedactor({ env: {}, secrets: ["s3cr3t\\", 's"t'] });
  fc.assert(
    fc.property(fc.dictionary(name, value), (object) => {
      const line = JSON.stringify({ ...object, nested: JSON.stringify(object), end: 1 });
      const redacted = redactJson(line, known);
      expect(JSON.parse(redacted)).toMatchObject({ end: 1 });
      expect(redacted).not.toMatch(/s3cr3t|s\\+"t/);
    }),
    { numRuns: 5_000 },
  );
});

test("in JSON, a field is secret by its name, and what is no text stays", () => {
  const given = {
    token: "a b",
    nested: { authorization: "x", "set-cookie": "y" },
    tokens: 5,
    apiKey: 7,
    list: [null, "z"],
  };
  const expected = { token: "[redacted]", nested: { authorization: "[redacted]", "set-cookie": "[redacted]" } };
  expect(JSON.parse(redactJson(JSON.stringify(given), redact))).toEqual({ ...given, ...expected });
});

// Where it grew with the square of the length, this would take minutes.
test.each(["a", "-", "token", "Bearer ", "://a:", "eyJaaaaaaaa.", '\\"', "-----BEGIN PRIVATE KEY-----", "token=", " "])(
  "a long line of %j costs as much as it is long",
  (piece) => {
    const line = piece.repeat(200_000 / piece.length);
    expect(redact(`${line} Authorization: abc`)).toMatch(/(Authorization: )?\[redacted\]$/);
  },
);
