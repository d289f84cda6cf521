const TICK_MS = 15_000;
/** The gateway gives a sign every 15 s; one may come late. */
const ASK_AFTER = 2;
const GIVE_UP_AFTER = 4;

/** Finds that nothing is heard any more: a connection whose other end is gone may look open for hours. */
export class Watchdog {
  private quiet = 0;
  private readonly timer: ReturnType<typeof setInterval>;

  constructor(
    private readonly ask: () => void,
    private readonly giveUp: () => void,
  ) {
    this.timer = setInterval(() => this.tick(), TICK_MS);
    // In Node, the connection keeps the process alive, and not the watch over it.
    (this.timer as { unref?: () => void }).unref?.();
  }

  heard(): void {
    this.quiet = 0;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private tick(): void {
    this.quiet += 1;
    if (this.quiet === ASK_AFTER) this.ask();
    if (this.quiet >= GIVE_UP_AFTER) this.giveUp();
  }
}
