import type { Run } from "../run.js";
import { accounted } from "./accounted.js";
import { cut, late } from "./cut.js";
import { deltasOptional, idempotent, schema } from "./events.js";
import { joined } from "./joined.js";
import type { Law, Violation } from "./law.js";
import { lifecycle } from "./lifecycle.js";
import { pure, resume, unknownTolerant } from "./pure.js";
import { stable } from "./stable.js";
import { together } from "./together.js";

export type { Law, Violation } from "./law.js";

/** Every law that a run can be held against by itself, without a golden trace or a database. */
export const LAWS: readonly Law[] = [
  schema,
  pure,
  resume,
  idempotent,
  deltasOptional,
  lifecycle,
  stable,
  together,
  unknownTolerant,
  cut,
  late,
  joined,
  accounted,
];

export function checkLaws(run: Run, laws: readonly Law[] = LAWS): Violation[] {
  return laws.flatMap(({ name, check }) => check(run).map((message) => ({ law: name, message })));
}
