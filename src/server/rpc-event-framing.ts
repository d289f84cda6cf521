import type { EventFraming } from "./event-framing.js";

const SUFFIX = Buffer.from("]}}");

/** Makes the `events` notifications of one subscription. */
export class RpcEventFraming implements EventFraming {
  private readonly start: string;
  private readonly prefix: Buffer;

  constructor(subscriptionID: string) {
    const id = JSON.stringify(subscriptionID);
    this.start = `{"jsonrpc":"2.0","method":"events","params":{"subscriptionID":${id}`;
    this.prefix = Buffer.from(`${this.start},"events":[`);
  }

  /** One copy of the bytes is cheaper than to encode the same text once more for each subscriber. */
  events(body: Buffer): Buffer {
    return Buffer.concat([this.prefix, body, SUFFIX]);
  }

  overflow(): Buffer {
    return Buffer.from(`${this.start},"overflow":true,"events":[]}}`);
  }
}
