import { isOpen, type Part } from "../../../schemas/index.js";
import { EMPTY_STATE, reduce, type WireState } from "../../store/reduce.js";
import { type Run, wireOf } from "../run.js";
import type { Law } from "./law.js";
import { openThings } from "./lifecycle.js";

/** An agent that dies after any line leaves nothing open, and its session idle. */
export const cut: Law = {
  name: "cut",
  check: (run) => {
    let state = wireOf(run.start.outputs).reduce(reduce, EMPTY_STATE);
    return run.steps.flatMap((step, i) => {
      state = wireOf(step.outputs).reduce(reduce, state);
      return checkCut(run, step.state, state).map((problem) => `after an exit behind step ${i} ${problem}`);
    });
  },
};

function checkCut(run: Run, adapterState: unknown, state: WireState): string[] {
  const at = run.seed.at + 1e9;
  const exit = { at, kind: "exit", code: null, signal: "SIGKILL", stderr: "", lost: true } as const;
  const ended = wireOf(run.adapter.step(adapterState, exit).outputs).reduce(reduce, state);
  const session = ended.sessions[run.seed.sessionID];
  const busy = session?.info.status.type === "idle" ? [] : [`the session is ${session?.info.status.type}`];
  const queued = session?.info.queue.length ? ["prompts still wait"] : [];
  const open = Object.keys(ended.sessions).flatMap((sessionID) => openThings(ended, sessionID));
  return [...busy, ...queued, ...open];
}

/** Lines that come again after the end change nothing that is final. */
export const late: Law = {
  name: "late",
  check: (run) => {
    const before = run.steps.reduce(
      (state, step) => wireOf(step.outputs).reduce(reduce, state),
      wireOf(run.start.outputs).reduce(reduce, EMPTY_STATE),
    );
    let adapterState = run.steps.at(-1)?.state ?? run.start.state;
    let after = before;
    for (const { input } of run.steps) {
      if (input.kind !== "frame") continue;
      const next = run.adapter.step(adapterState, { ...input, at: run.seed.at + 1e9 });
      adapterState = next.state;
      after = wireOf(next.outputs).reduce(reduce, after);
    }
    return closedParts(before).flatMap((part) => {
      const now = after.sessions[part.sessionID]?.messages[part.messageID]?.parts[part.id];
      return now === part ? [] : [`${part.type} part ${part.id} was final and changed`];
    });
  },
};

function closedParts(state: WireState): Part[] {
  const messages = Object.values(state.sessions).flatMap((session) => Object.values(session.messages));
  return messages.flatMap(({ parts }) => Object.values(parts).filter((part) => !isOpen(part)));
}
