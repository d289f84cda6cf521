import type { SessionSeed } from "../contract.js";
import type { SessionPast } from "../transcript-reader.js";
import { type Child, type CodexState, newState, newThread, type Thread } from "./state.js";

/** A session that began without the gateway: the next prompt resumes its thread. */
export function adopt(seed: SessionSeed, past: SessionPast): CodexState {
  const { codex, seeds } = past.own as { codex: CodexState; seeds: Readonly<Record<string, string>> };
  const { nativeID, planning, model } = codex;
  const main = atRest(codex.main, past.idSeed);
  main.transcript.session = past.session;
  const children = Object.entries(codex.children).map(([name, child]): [string, Child] => {
    const { threadID, parentThreadID, callID } = child;
    return [name, { ...atRest(child, seeds[name] ?? ""), threadID, parentThreadID, callID }];
  });
  const state = newState(main.transcript, seed);
  return { ...state, main, children: Object.fromEntries(children), nativeID, planning, model, hasHistory: true };
}

/** A thread in which nothing runs, as another program left it. Ids to come sort after all there are. */
function atRest({ transcript, threadID, turns, closedTurns, usage }: Thread, idSeed: string): Thread {
  const closed = { turn: null, messages: {}, texts: {}, tools: {}, queue: [] };
  const thread = newThread({ ...transcript, ...closed, idSeed, nextId: 1 }, threadID);
  return { ...thread, turns, closedTurns, usage, usageBefore: usage };
}
