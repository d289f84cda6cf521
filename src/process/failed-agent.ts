import type { LocalProcess } from "./agent-host.js";
import type { AgentReporter } from "./agent-reporter.js";

/** A program that did not start. Its exit is reported once the caller has this object in hand. */
export class FailedAgent implements LocalProcess {
  readonly epoch: number;
  readonly pid = undefined;
  readonly exited: Promise<void>;

  constructor(epoch: number, reporter: AgentReporter, error: string | Promise<string>) {
    this.epoch = epoch;
    this.exited = Promise.resolve(error).then((text) => {
      reporter.reportExit({ code: null, signal: null, stderr: "", error: text });
    });
  }

  send(): void {}

  stop(): void {}

  setReading(): void {}
}
