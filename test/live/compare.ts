import { isDeepStrictEqual } from "node:util";
import { createTwoFilesPatch } from "diff";
import { comparable } from "../../src/conformance/comparable.js";
import type { FinalDocument } from "../../src/store/reduce.js";

/** Where two final states differ, as a patch; nothing where they are the same but for what differs from run to run. */
export function compare(golden: FinalDocument, actual: FinalDocument, unsteady: readonly string[] = []): string[] {
  const [before, after] = [comparable(golden, unsteady), comparable(actual, unsteady)];
  if (isDeepStrictEqual(before, after)) return [];
  const text = (value: unknown) => JSON.stringify(value, null, 1);
  return [createTwoFilesPatch("golden", "actual", text(before), text(after))];
}
