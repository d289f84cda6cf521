import { ERROR_TABLE, EventsNotification, METHODS, PROTOCOL_VERSION } from "./index.js";
import { buildComponentSchemas, schemaWithRefs } from "./json-schema.js";

const PREFIX = "#/components/schemas/";

/** The OpenRPC document of every request, made from the same schemas that check them. */
export function buildOpenRpc(): Record<string, unknown> {
  return {
    openrpc: "1.3.2",
    info: {
      title: "agentwire",
      version: PROTOCOL_VERSION,
      description:
        "JSON-RPC 2.0 over a WebSocket or over standard input and output, one message a line. Parameters go by name. " +
        "Events come as the notification `events`, whose params are the schema EventsNotification.",
    },
    methods: Object.entries(METHODS).map(([name, method]) => describeMethod(name, method)),
    components: { schemas: buildComponentSchemas(PREFIX), errors: componentErrors() },
    "x-notifications": [{ name: "events", params: schemaWithRefs(EventsNotification, PREFIX) }],
  };
}

function describeMethod(
  name: string,
  { summary, params, result }: (typeof METHODS)[keyof typeof METHODS],
): Record<string, unknown> {
  const schema = schemaWithRefs(params, PREFIX) as { properties?: Record<string, unknown>; required?: string[] };
  return {
    name,
    summary,
    paramStructure: "by-name",
    params: Object.entries(schema.properties ?? {}).map(([param, type]) => ({
      name: param,
      required: schema.required?.includes(param) ?? false,
      schema: type,
    })),
    result: { name: "result", schema: schemaWithRefs(result, PREFIX) },
    errors: Object.keys(ERROR_TABLE).map((kind) => ({ $ref: `#/components/errors/${kind}` })),
  };
}

function componentErrors(): Record<string, unknown> {
  const errors = Object.entries(ERROR_TABLE).map(([kind, { rpcCode, title }]) => [
    kind,
    { code: rpcCode, message: title, data: { kind } },
  ]);
  return Object.fromEntries(errors);
}
