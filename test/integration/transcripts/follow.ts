import pino from "pino";
import { afterEach } from "vitest";
import { ADAPTERS, type AnyAdapter } from "../../../adapters/index.js";
import type { Params, Session, WireEvent } from "../../../schemas/index.js";
import { openStore } from "../../../src/store/open-store.js";
import { Attachments } from "../../../src/transcripts/attachments.js";

/** A program in a terminal that writes a transcript. */
interface Followed {
  readonly agent: string;
  readonly nativeID: string;
  readonly env: Readonly<Record<string, string>>;
}

const disposals: (() => void)[] = [];
afterEach(() => {
  for (const dispose of disposals.splice(0).reverse()) dispose();
});

/** What a gateway has of attached sessions, without the rest of it. */
export function follow(terminal: Followed, db = ":memory:") {
  const store = openStore({ path: db });
  const events: WireEvent[] = [];
  const waiting = new Set<() => void>();
  store.subscribe((group) => {
    events.push(...group.map(({ event }) => event));
    for (const look of [...waiting]) look();
  });
  const attachments = new Attachments({
    store,
    log: pino({ level: "silent" }),
    env: terminal.env,
    home: "/nowhere",
    adapterOf: (agent) => ADAPTERS[agent] as AnyAdapter,
    checkDirectory: () => {},
    settleMs: 20,
    pollMs: 50,
  });
  const close = () => {
    attachments.close();
    store.close();
  };
  disposals.push(close);
  const attach = (params: Partial<Params<"session.attach">> = {}) =>
    attachments.attach({ agent: terminal.agent, nativeID: terminal.nativeID, ...params });
  const until = <T>(look: () => T | undefined | false): Promise<T> =>
    new Promise((resolve) => {
      const check = () => {
        const value = look();
        if (!value) return;
        waiting.delete(check);
        resolve(value);
      };
      waiting.add(check);
      check();
    });
  const texts = (sessionID: string) =>
    store
      .messages(sessionID, { limit: 100 })
      .flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])));
  const session = (sessionID: string) => store.session(sessionID) as Session;
  return { store, events, attachments, attach, until, texts, session, close };
}
