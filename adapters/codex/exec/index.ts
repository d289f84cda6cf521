import type { PrintedStream } from "../../contract.js";
import { type ExecLine, execLineKind, readExecLine } from "./line.js";
import { type ExecState, init, step } from "./translate.js";

/** What `codex exec --json` prints: one turn, which nobody can steer, answer or interrupt. */
export const codexExec: PrintedStream<ExecState, ExecLine> = {
  dialect: "codex-exec",
  id: "codex",
  parse: readExecLine,
  kindOf: execLineKind,
  init,
  step,
  observe: () => undefined,
};
