import type { Outlet } from "./outlet.js";

/**
 * How many bytes of answers a client has left unread. Events don't count: a client that is behind with events can still
 * abort a turn, while one that asks and never reads is not read any further.
 */
export class AnswerBacklog {
  private bytes = 0;

  constructor(
    private readonly outlet: Outlet,
    private readonly limit: number,
    private readonly lowWater: number,
  ) {}

  get full(): boolean {
    if (this.outlet.pendingBytes <= this.lowWater) this.bytes = 0;
    return this.bytes > this.limit;
  }

  write(answer: string): void {
    this.bytes += answer.length;
    this.outlet.write(answer);
  }
}
