import type { Lanes, ScriptedAnswer } from "../model-server/script.js";

export function mapLanes<To>(lanes: Lanes, change: (answer: ScriptedAnswer) => To): Readonly<Record<string, To[]>> {
  return Object.fromEntries(Object.entries(lanes).map(([lane, answers]) => [lane, answers.map(change)]));
}
