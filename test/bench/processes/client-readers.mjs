// What a client does with a message. Each reader gives what it saw of a turn, at the turn's end.
import { createHash } from "node:crypto";
import { EMPTY_STATE, finalDocument, reduce } from "../../../dist/src/store/reduce.js";
import { agesIn, now } from "./stamp.mjs";
import { watchOrder } from "./watch-order.mjs";

const RAW_END = Buffer.from('"type":"result"');
const CLOSED = Buffer.from('"end":');
const RAW_DELTA = Buffer.from('"type":"content_block_delta"');
const IDLE = Buffer.from('"status":{"type":"idle"}');
const FAILED = Buffer.from('"type":"session.error"');
/** A client that was behind hears of the end with the session's row. */
const SESSION = Buffer.from('"type":"session.');

function isEnd(data, normalized) {
  return normalized ? data.includes(IDLE) && data.includes(SESSION) : data.includes(RAW_END);
}

export const readers = {
  /** Looks only for the end: what the client itself costs is not what is measured. */
  count: (normalized) => (data) => (isEnd(data, normalized) ? {} : undefined),

  /** Looks for the ends of so many sessions' turns, and counts those that failed. */
  sessions: (normalized, { sessions }) => {
    const idle = new Set();
    let [ends, failed] = [0, 0];
    return (data) => {
      if (normalized && data.includes(FAILED)) failed += 1;
      if (!isEnd(data, normalized)) return undefined;
      if (normalized) for (const { properties } of eventsOf(data).filter(isIdle)) idle.add(properties.sessionID);
      ends = normalized ? idle.size : ends + 1;
      if (ends < sessions) return undefined;
      const seen = { failed };
      idle.clear();
      [ends, failed] = [0, 0];
      return seen;
    };
  },

  /** Keeps how old the stamps in streamed texts are. */
  stamps: (normalized) => {
    let ages = [];
    return (data) => {
      const at = now();
      ages.push(...agesIn(normalized ? deltasOf(data) : rawDelta(data), at));
      if (!isEnd(data, normalized)) return undefined;
      const seen = { ages };
      ages = [];
      return seen;
    };
  },

  /** Keeps how old the last stamp is when the session fails. */
  failure: () => {
    let last = "";
    let ages = [];
    return (data) => {
      const at = now();
      last = deltasOf(data) || last;
      if (eventsOf(data).some(({ type }) => type === "session.error")) ages = agesIn(last, at);
      if (ages.length === 0 || !isEnd(data, true)) return undefined;
      const seen = { ages };
      ages = [];
      return seen;
    };
  },

  /** Does what a client does: makes the conversation of the events, until its texts are so long and closed. */
  texts: (_, { characters }) => {
    const order = watchOrder();
    let state = EMPTY_STATE;
    return (data) => {
      for (const envelope of envelopesOf(data)) {
        order.take(envelope);
        state = reduce(state, envelope.event);
      }
      const text = data.includes(CLOSED) ? closedText(state) : "";
      return text.length < characters ? undefined : { text: hashOf(text), inversions: order.inversions };
    };
  },
};

const envelopesOf = (data) => JSON.parse(data).params.events;
const eventsOf = (data) => envelopesOf(data).map(({ event }) => event);
export const hashOf = (text) => createHash("sha256").update(text).digest("hex");

function isIdle({ type, properties }) {
  return (properties.status ?? properties.info?.status)?.type === "idle" && type.startsWith("session.");
}

function deltasOf(data) {
  return eventsOf(data)
    .filter(({ type }) => type === "message.part.delta")
    .map(({ properties }) => properties.delta)
    .join("");
}

function rawDelta(data) {
  return data.includes(RAW_DELTA) ? data.toString() : "";
}

function closedText(state) {
  const messages = finalDocument(state).sessions.flatMap((session) => session.messages);
  const parts = messages.flatMap((message) => message.parts);
  return parts.map((part) => (part.time?.end === undefined ? "" : part.text)).join("");
}
