import { expect } from "vitest";
import { GatewayError } from "../../src/gateway-error.js";

/** The error that some work is refused with; fails when it is not refused, and rethrows any other error. */
export function refusal(work: () => unknown): GatewayError {
  try {
    work();
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  return expect.fail("it was not refused");
}
