import type { Dialect, NamedAnswer, NamedPart } from "./dialect.js";
import type { Exchange } from "./exchange.js";
import type { Gates } from "./gates.js";
import type { Fault } from "./script.js";

/** Streams one answer as the dialect writes it. */
export async function streamAnswer(
  exchange: Exchange,
  gates: Gates,
  dialect: Dialect,
  answer: NamedAnswer,
): Promise<void> {
  exchange.startStream();
  sendAll(exchange, dialect.head(answer));
  for (const part of answer.parts) {
    if (!(await streamPart(exchange, gates, dialect, { part, answer }))) return;
  }
  sendAll(exchange, dialect.tail(answer));
  if (dialect.last !== undefined) exchange.data(dialect.last);
  exchange.end();
}

interface PartOf {
  readonly part: NamedPart;
  readonly answer: NamedAnswer;
}

/** False when the stream has ended inside the part. */
async function streamPart(
  exchange: Exchange,
  gates: Gates,
  dialect: Dialect,
  { part, answer }: PartOf,
): Promise<boolean> {
  const deltas = dialect.deltasOf(part, answer);
  const before = part.after ?? deltas.length;
  sendAll(exchange, deltas.slice(0, before));
  if (part.gate !== undefined && !(await gates.pass(part.gate, exchange.left))) return false;
  if (part.fault !== undefined) {
    await fail(exchange, dialect, part.fault);
    return false;
  }
  sendAll(exchange, deltas.slice(before));
  return true;
}

async function fail(exchange: Exchange, dialect: Dialect, fault: Fault): Promise<void> {
  if (fault === "cut") return exchange.cut();
  sendAll(exchange, [dialect.error(fault)]);
  exchange.end();
}

function sendAll(exchange: Exchange, chunks: readonly object[]): void {
  for (const chunk of chunks) exchange.data(JSON.stringify(chunk));
}
