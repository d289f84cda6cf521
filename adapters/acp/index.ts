import type { Adapter, DeclaredAgent } from "../contract.js";
import { fork } from "./fork.js";
import { type AcpFrame, frameKind, parseFrame } from "./frame.js";
import { launchOf } from "./launch.js";
import { observe } from "./observe.js";
import type { Profile } from "./profile.js";
import { PROFILES } from "./profiles/index.js";
import { other } from "./profiles/other.js";
import type { AcpState } from "./state.js";
import { init, step } from "./translate.js";
import { trimFrame } from "./trim.js";

/** An agent that speaks the Agent Client Protocol on stdio, as its profile describes it. */
export function acpAdapter(profile: Profile): Adapter<AcpState, AcpFrame> {
  const { id, name, testedVersion, capabilities, modes, program } = profile;
  const known = (method: string) => profile.ignored.includes(method) || method === profile.ownTurnEnd;
  return {
    id,
    name,
    testedVersion,
    channel: "jsonrpc",
    capabilities,
    modes,
    // What an agent takes of these it says when it runs.
    files: { inline: ["*"], linked: ["*"] },
    options: { mode: "string", thought_level: "string", ...profile.options },
    program,
    launch: () => launchOf(profile),
    parse: (raw) => parseFrame(raw, known),
    kindOf: frameKind,
    init,
    step: (state, input) => step(profile, state, input),
    ...(capabilities.includes("fork") && { fork }),
    trim: trimFrame,
    observe,
  };
}

/** One adapter for each agent that was tried, and one for any other. */
export const ACP_ADAPTERS = Object.fromEntries(PROFILES.map((profile) => [profile.id, acpAdapter(profile)]));

/** An agent that nothing is known of but that it speaks the protocol. */
export function declaredAcpAgent({ id, name, command, env }: DeclaredAgent): Adapter<AcpState, AcpFrame> {
  return acpAdapter({ ...other, id, name, env, program: { command, packages: {}, versionArgs: [] } });
}
