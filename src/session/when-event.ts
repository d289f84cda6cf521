import type { WireEvent } from "../../schemas/index.js";
import type { LiveSession } from "./live-session.js";

export interface Expected {
  /** Resolves at the first event that matches. */
  readonly happened: Promise<void>;
  stop(): void;
}

/** Waits, from now on, for an event of a session at work. */
export function whenEvent(live: LiveSession, matches: (event: WireEvent) => boolean): Expected {
  let stop = () => {};
  const happened = new Promise<void>((resolve) => {
    stop = live.onWire((event) => {
      if (!matches(event)) return;
      stop();
      resolve();
    });
  });
  return { happened, stop: () => stop() };
}

/** Whether something happens before this many milliseconds have passed. */
export async function within(ms: number, happened: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([happened.then(() => true as const), late]);
  } finally {
    clearTimeout(timer);
  }
}
