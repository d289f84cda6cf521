/** Calls `tick` again and again; returns the way to stop. */
export type Ticker = (tick: () => void) => () => void;

const INTERVAL_MS = 15_000;

/** Every 15 s, which is less than any proxy waits, without keeping the process alive. */
export const everyQuarterMinute: Ticker = (tick) => {
  const timer = setInterval(tick, INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
};

/** One client's connection. */
export interface Patient {
  /** Asks for a sign of life, or gives one. */
  beat(): void;
  /** Whether a missing sign says nothing about the client: it is us who don't read, or there was nothing to take. */
  isExcused(): boolean;
  /** Breaks the connection off. */
  end(): void;
}

export interface Pulse {
  /** There was a sign of life. */
  readonly revive: () => void;
  readonly stop: () => void;
}

/**
 * Ends a client that showed no sign of life between two ticks: no pong, no message, no byte taken. A slow reader, whose pong
 * waits behind a megabyte, still takes bytes.
 */
export class Heartbeat {
  private readonly signs = new Map<Patient, { alive: boolean }>();
  private readonly stopTicking: () => void;

  constructor(ticker: Ticker) {
    this.stopTicking = ticker(() => this.tick());
  }

  watch(patient: Patient): Pulse {
    const sign = { alive: true };
    this.signs.set(patient, sign);
    return {
      revive: () => {
        sign.alive = true;
      },
      stop: () => this.signs.delete(patient),
    };
  }

  stop(): void {
    this.stopTicking();
    this.signs.clear();
  }

  private tick(): void {
    for (const [patient, sign] of [...this.signs]) {
      if (!sign.alive && !patient.isExcused()) {
        patient.end();
        continue;
      }
      sign.alive = false;
      patient.beat();
    }
  }
}
