import { expect, test } from "vitest";
import { createAccess } from "../../../src/process/http-access.js";

const SERVICE = { events: "/events", user: "me", passwordVariable: "SERVER_PASSWORD" };

test("a child's password is told to it alone, and is another one each time", () => {
  const { authorization, env } = createAccess(SERVICE);
  const password = env.SERVER_PASSWORD ?? "";
  expect(password.length).toBeGreaterThanOrEqual(32);
  expect(Buffer.from(authorization.replace("Basic ", ""), "base64").toString()).toBe(`me:${password}`);
  expect(createAccess(SERVICE).env).not.toEqual(env);
});
