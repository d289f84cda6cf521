type Signal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** Resolves when the process is asked to end; a second request ends it at once. */
export function untilSignal(signals: readonly Signal[] = ["SIGINT", "SIGTERM", "SIGHUP"]): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    const onSignal = () => {
      if (asked) process.exit(130);
      asked = true;
      resolve();
    };
    for (const signal of signals) process.on(signal, onSignal);
  });
}
