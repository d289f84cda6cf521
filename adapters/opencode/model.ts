import { isRecord } from "../shared/is-record.js";
import type { PromptTarget } from "../shared/prompts.js";
import { MODES } from "./modes.js";
import type { OpencodeState } from "./state.js";

/** A model as the server takes it; undefined where the user chose none, or named no provider. */
export function chosenModel({ main }: OpencodeState): { providerID: string; modelID: string } | undefined {
  const { model = "" } = main.transcript.session;
  const slash = model.indexOf("/");
  return slash < 1 ? undefined : { providerID: model.slice(0, slash), modelID: model.slice(slash + 1) };
}

/** Whom a prompt is for, as far as it is known: the model that was chosen, else the one that answered last. */
export function promptTarget(state: OpencodeState): PromptTarget {
  const known = state.model && { providerID: state.model.provider, modelID: state.model.id };
  const model = chosenModel(state) ?? known ?? { providerID: "opencode", modelID: "default" };
  return { agent: agentName(state), ...model };
}

/** An agent of the user's own takes the place of `build`; plan mode is what its agent makes of it. */
export function agentName(state: OpencodeState): string {
  const { agent } = MODES[state.main.transcript.session.mode];
  const own = optionOf(state, "agent");
  return agent === "build" && own !== undefined ? own : agent;
}

/** An option that was set is kept among what is known of the session. */
export function optionOf(state: OpencodeState, option: "agent" | "variant"): string | undefined {
  const native = state.main.transcript.session.metadata?.native;
  const value = isRecord(native) ? native[option] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}
