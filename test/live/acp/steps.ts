import assert from "node:assert/strict";
import type { Driver, ScriptedModel } from "../scenario.js";
import { decideNext, lastRequest } from "../steps.js";
import type { AcpAgent, AcpHabits } from "./acp-agent.js";
import { APIS } from "./apis.js";

/** What the tools returned, as the newest request tells the model. */
export function lastToolResults(agent: AcpAgent, model: ScriptedModel): string {
  return APIS[agent.api].toolResultsIn(lastRequest(model)).join("\n");
}

export function asksFor(agent: AcpAgent, kind: AcpHabits["asksFor"][number]): boolean {
  return agent.habits.asksFor.includes(kind);
}

/** Allows the next call, where the agent asks for calls of its kind. */
export async function allow(agent: AcpAgent, driver: Driver, kind: AcpHabits["asksFor"][number]): Promise<void> {
  if (asksFor(agent, kind)) await decideNext(driver, { decision: "once" });
}

/** Throws unless the model was told of the conversation before. */
export function assertRemembers(model: ScriptedModel, words: string): void {
  assert(JSON.stringify(lastRequest(model).body).includes(words), "the model hears of the conversation so far");
}
