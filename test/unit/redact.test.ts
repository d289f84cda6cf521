import { describe, expect, test } from "vitest";
import { createRedactor } from "../../src/redact.js";

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

test("JSON is JSON afterwards, whatever its values are", () => {
  const values = ["a", 'with "quotes"', "back\\slash\\", "", 'Bearer "x"', 1, null, true, { token: ["x"] }, [], "a\nb"];
  for (const name of ["token", "authorization", "cookie", "x"]) {
    for (const value of values) {
      const line = JSON.stringify({ [name]: value, nested: JSON.stringify({ [name]: value }), end: 1 });
      expect(JSON.parse(redact(line))).toMatchObject({ end: 1 });
    }
  }
});

// Where it grew with the square of the length, this would take minutes.
test.each(["a", "-", "token", "Bearer ", "://a:", "eyJaaaaaaaa.", '\\"', "-----BEGIN PRIVATE KEY-----", "token=", " "])(
  "a long line of %j costs as much as it is long",
  (piece) => {
    const line = piece.repeat(200_000 / piece.length);
    expect(redact(`${line} Authorization: abc`)).toMatch(/(Authorization: )?\[redacted\]$/);
  },
);
