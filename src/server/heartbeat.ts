import type { WebSocket } from "ws";

/** Calls `tick` again and again; returns the way to stop. */
export type Ticker = (tick: () => void) => () => void;

const INTERVAL_MS = 30_000;

/** Every 30 s, without keeping the process alive. */
export const everyHalfMinute: Ticker = (tick) => {
  const timer = setInterval(tick, INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
};

export interface Pulse {
  readonly socket: WebSocket;
  /** Hears each time that some bytes left for the peer. */
  readonly onDrain: (listener: () => void) => void;
  /** Whether it is us who don't read: then a missing pong says nothing about the peer. */
  readonly holdsBack: () => boolean;
}

/**
 * Ends a peer that showed no sign of life between two ticks: no pong, no message, no byte taken. A slow reader, whose pong
 * waits behind a megabyte, still takes bytes.
 */
export class Heartbeat {
  private readonly pulses = new Map<Pulse, { alive: boolean }>();
  private readonly stopTicking: () => void;

  constructor(ticker: Ticker) {
    this.stopTicking = ticker(() => this.tick());
  }

  watch(pulse: Pulse): void {
    const sign = { alive: true };
    const revive = (): void => {
      sign.alive = true;
    };
    this.pulses.set(pulse, sign);
    pulse.socket.on("pong", revive);
    pulse.socket.on("message", revive);
    pulse.socket.once("close", () => this.pulses.delete(pulse));
    pulse.onDrain(revive);
  }

  stop(): void {
    this.stopTicking();
    this.pulses.clear();
  }

  private tick(): void {
    for (const [pulse, sign] of this.pulses) {
      if (!sign.alive && !pulse.holdsBack()) {
        pulse.socket.terminate();
        continue;
      }
      sign.alive = false;
      pulse.socket.ping();
    }
  }
}
