import {
  type AssistantMessage,
  ERROR_TABLE,
  type Message,
  type SessionStatus,
  type WireEvent,
} from "../../../schemas/index.js";

interface Waiter {
  readonly isDone: () => boolean;
  readonly resolve: () => void;
}

/** Follows the turns of one session: whether one runs, and how the last one ended. Its subagents' are not its own. */
export class TurnWatch {
  readonly #sessionID: string;
  readonly #onChange: (isIdle: boolean) => void;
  readonly #prompts = new Map<string, "heard" | "begun" | "over">();
  readonly #waiters = new Set<Waiter>();
  #isIdle = true;
  #hasRun = false;
  #last: AssistantMessage | undefined;

  constructor(sessionID: string, onChange: (isIdle: boolean) => void = () => {}) {
    this.#sessionID = sessionID;
    this.#onChange = onChange;
  }

  get isIdle(): boolean {
    return this.#isIdle;
  }

  /** 0 when the last turn came to its end, or none was heard. */
  get exitCode(): number {
    if (!this.#hasRun) return 0;
    const finish = this.#last?.finish;
    return finish === "stop" || finish === "tool-calls" ? 0 : ERROR_TABLE.agent_failed.exitCode;
  }

  /** The last message of the newest turn; none where the agent said nothing. */
  get last(): AssistantMessage | undefined {
    return this.#last;
  }

  hear(event: WireEvent): void {
    if (event.properties.sessionID !== this.#sessionID) return;
    if (event.type === "session.status") this.#setStatus(event.properties.status);
    // Whoever was away is told the session as it stands, and not what it did.
    if (event.type === "session.updated") this.#setStatus(event.properties.info.status);
    if (event.type === "message.updated") this.#hearMessage(event.properties.info);
    for (const waiter of this.#waiters) if (waiter.isDone()) waiter.resolve();
  }

  /** Resolves when no turn runs. */
  untilIdle(): Promise<void> {
    return this.#until(() => this.#isIdle);
  }

  /** Resolves when the turn of a prompt has ended: one that may have begun and ended unheard. */
  untilAnswered(messageID: string): Promise<void> {
    this.#hasRun = true;
    return this.#until(() => this.#prompts.get(messageID) === "over");
  }

  #until(isDone: () => boolean): Promise<void> {
    if (isDone()) return Promise.resolve();
    return new Promise((resolve) => {
      const waiter = {
        isDone,
        resolve: () => {
          this.#waiters.delete(waiter);
          resolve();
        },
      };
      this.#waiters.add(waiter);
    });
  }

  #setStatus({ type }: SessionStatus): void {
    const wasIdle = this.#isIdle;
    this.#isIdle = type === "idle";
    if (this.#isIdle) this.#advance("begun", "over");
    else this.#advance("heard", "begun");
    if (wasIdle && !this.#isIdle) this.#last = undefined;
    if (!this.#isIdle) this.#hasRun = true;
    if (wasIdle !== this.#isIdle) this.#onChange(this.#isIdle);
  }

  #hearMessage(info: Message): void {
    if (info.role === "user") {
      if (!this.#prompts.has(info.id)) this.#prompts.set(info.id, this.#isIdle ? "heard" : "begun");
      return;
    }
    this.#last = info;
    // An answer is there, also where its turn began and ended while nothing was heard.
    this.#advance("heard", "begun");
  }

  #advance(from: "heard" | "begun", to: "begun" | "over"): void {
    for (const [id, stage] of this.#prompts) if (stage === from) this.#prompts.set(id, to);
  }
}
