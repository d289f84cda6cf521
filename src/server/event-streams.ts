import type { ServerResponse } from "node:http";
import type { Params, Result } from "../../schemas/index.js";
import { GatewayError } from "../gateway-error.js";
import { CLOSE_CODES } from "./close-codes.js";
import { EventStream } from "./event-stream.js";
import type { Heartbeat } from "./heartbeat.js";
import type { Publisher } from "./publisher.js";

/** The streams of server-sent events that are open on one server. */
export class EventStreams {
  private readonly streams = new Map<string, EventStream>();

  constructor(
    private readonly publisher: Publisher,
    private readonly heartbeat: Heartbeat,
  ) {}

  get all(): EventStream[] {
    return [...this.streams.values()];
  }

  /** The stream is silent until it is started. */
  open(response: ServerResponse, params: Params<"events.subscribe">): EventStream {
    const stream = new EventStream(response, this.publisher, params);
    const { subscriptionID } = stream.result;
    this.streams.set(subscriptionID, stream);
    const pulse = this.heartbeat.watch({
      beat: () => stream.beat(),
      // What the kernel takes is on its way; what it refuses shows that the client does not read.
      isExcused: () => stream.pendingBytes === 0,
      end: () => stream.terminate(),
    });
    stream.onDrain(pulse.revive);
    stream.onClose(() => {
      pulse.stop();
      this.streams.delete(subscriptionID);
      stream.terminate();
    });
    return stream;
  }

  end(subscriptionID: string): Result<"events.unsubscribe"> {
    const stream = this.streams.get(subscriptionID);
    if (!stream) {
      throw new GatewayError("not_found", `There is no stream ${JSON.stringify(subscriptionID)}`, {
        field: "subscriptionID",
      });
    }
    stream.close(CLOSE_CODES.normal, "the subscription was ended");
    return {};
  }
}
