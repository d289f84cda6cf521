import type { Mode, Params, Result } from "../../schemas/index.js";
import { GatewayError } from "../gateway-error.js";
import type { AgentPrograms } from "./agent-programs.js";
import { checkMode, checkOption } from "./check-request.js";
import type { SessionRegistry } from "./session-registry.js";
import { whenEvent, within } from "./when-event.js";

/** How long a running agent has to confirm a change, in milliseconds. */
const CONFIRM_MS = 5000;

type SettingCommand = { type: "setMode"; mode: Mode } | { type: "setModel"; model: string };

/** Answers the requests that change how a session's agent works. */
export class SessionSettings {
  constructor(
    private readonly sessions: SessionRegistry,
    private readonly programs: AgentPrograms,
  ) {}

  setMode({ sessionID, mode }: Params<"session.setMode">): Promise<Result<"session.setMode">> {
    const session = this.sessions.record(sessionID);
    const adapter = this.programs.adapterOf(session.agent);
    checkMode(mode, adapter);
    this.sessions.checkLaunch(adapter, { ...session, mode });
    return this.#changeAndConfirm(sessionID, { type: "setMode", mode });
  }

  setModel({ sessionID, model }: Params<"session.setModel">): Promise<Result<"session.setModel">> {
    return this.#changeAndConfirm(sessionID, { type: "setModel", model });
  }

  setOption({ sessionID, option, value }: Params<"session.setOption">): Result<"session.setOption"> {
    const { agent } = this.sessions.record(sessionID);
    checkOption(option, value, this.programs.adapterOf(agent));
    this.sessions.open(sessionID).command({ type: "setOption", option, value });
    return { session: this.sessions.record(sessionID) };
  }

  /** A running agent must confirm such a change, and may refuse it. */
  async #changeAndConfirm(sessionID: string, command: SettingCommand): Promise<Result<"session.setMode">> {
    const live = this.sessions.open(sessionID);
    const settled = whenEvent(live, ({ type, properties }) => {
      return type === "session.updated" && properties.sessionID === sessionID && properties.info.pending === undefined;
    });
    try {
      live.command(command);
      const waits = this.sessions.record(sessionID).pending !== undefined;
      if (waits && !(await within(CONFIRM_MS, settled.happened))) {
        throw new GatewayError(
          "agent_failed",
          "the agent did not confirm the change in time; it may still take effect",
        );
      }
    } finally {
      settled.stop();
    }
    const session = this.sessions.record(sessionID);
    const inForce = command.type === "setMode" ? session.mode === command.mode : session.model === command.model;
    if (inForce) return { session };
    if (session.error === undefined) throw new GatewayError("conflict", "a later change took the place of this one");
    throw new GatewayError("not_supported", session.error.message);
  }
}
