import {
  ERROR_TABLE,
  EventBatch,
  METHODS,
  type Method,
  PROTOCOL_VERSION,
  Problem,
  pathParams,
  ROUTES,
  type Route,
  StreamClosed,
  takesBody,
} from "./index.js";
import { buildComponentSchemas, schemaWithRefs } from "./json-schema.js";

type Json = Record<string, unknown>;

const PREFIX = "#/components/schemas/";

/** The OpenAPI document of every request, made from the same schemas that check them. */
export function buildOpenApi(): Json {
  return {
    openapi: "3.1.0",
    info: {
      title: "agentwire",
      version: PROTOCOL_VERSION,
      description: "The same requests as over the WebSocket, and their events as a stream of server-sent events.",
    },
    security: [{ token: [] }],
    paths: { "/health": HEALTH, "/metrics": METRICS, ...describePaths() },
    components: {
      schemas: buildComponentSchemas(PREFIX),
      responses: describeErrors(),
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
    },
  };
}

const HEALTH = {
  get: {
    operationId: "health",
    summary: "Tell that the gateway runs. Needs no token.",
    security: [],
    responses: {
      "200": content("application/json", "The gateway runs.", {
        type: "object",
        properties: { status: { const: "ok" }, protocolVersion: { type: "string" } },
        required: ["status", "protocolVersion"],
      }),
    },
  },
};

const METRICS = {
  get: {
    operationId: "metrics",
    summary: "Read what the gateway counts, in the text format of Prometheus.",
    responses: { "200": content("text/plain", "Done.", { type: "string" }) },
  },
};

function describePaths(): Record<string, Json> {
  const paths: Record<string, Json> = {};
  for (const [method, route] of Object.entries(ROUTES) as [Method, Route][]) {
    const path = paths[route.path] ?? {};
    paths[route.path] = path;
    path[route.verb.toLowerCase()] = describeOperation(method, route);
  }
  return paths;
}

function describeOperation(method: Method, { verb, path }: Route): Json {
  const { summary, params, result } = METHODS[method];
  const schema = schemaWithRefs(params, PREFIX) as { properties?: Json; required?: string[] };
  const inPath = pathParams(path);
  const rest = Object.keys(schema.properties ?? {}).filter((name) => !inPath.includes(name));
  const parameter = (name: string, place: "path" | "query"): Json => ({
    name,
    in: place,
    required: schema.required?.includes(name) ?? false,
    schema: schema.properties?.[name],
  });
  const parameters = inPath.map((name) => parameter(name, "path"));
  if (!takesBody(verb)) parameters.push(...rest.map((name) => parameter(name, "query")));
  if (method === "events.subscribe") parameters.push(LAST_EVENT_ID);
  return {
    operationId: method,
    summary,
    ...(parameters.length > 0 && { parameters }),
    ...(takesBody(verb) && rest.length > 0 && { requestBody: describeBody(schema, rest) }),
    responses: {
      "200":
        method === "events.subscribe"
          ? describeStream()
          : content("application/json", "Done.", schemaWithRefs(result, PREFIX)),
      ...Object.fromEntries(STATUSES.map((status) => [status, { $ref: `#/components/responses/${status}` }])),
    },
  };
}

const LAST_EVENT_ID = {
  name: "Last-Event-ID",
  in: "header",
  required: false,
  description: "The `id` of the last message that came; goes before `after`.",
  schema: { type: "string" },
};

function describeBody(schema: { properties?: Json; required?: string[] }, names: readonly string[]): Json {
  const required = names.filter((name) => schema.required?.includes(name));
  const body = {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, schema.properties?.[name]])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
  return { required: required.length > 0, content: { "application/json": { schema: body } } };
}

/** What the `data` of each kind of message is, as OpenAPI has no word for it. */
function describeStream(): Json {
  const stream = content("text/event-stream", "Events, until either side ends the stream.", { type: "string" });
  return {
    ...stream,
    "x-messages": {
      subscribed: schemaWithRefs(METHODS["events.subscribe"].result, PREFIX),
      gap: { type: "object", properties: {} },
      message: schemaWithRefs(EventBatch, PREFIX),
      closed: schemaWithRefs(StreamClosed, PREFIX),
    },
  };
}

const STATUSES = [...new Set(Object.values(ERROR_TABLE).map(({ httpStatus }) => httpStatus))].sort();

function describeErrors(): Json {
  const titles = (status: number) => Object.values(ERROR_TABLE).filter(({ httpStatus }) => httpStatus === status);
  return Object.fromEntries(
    STATUSES.map((status) => [
      status,
      content(
        "application/problem+json",
        titles(status)
          .map(({ title }) => `${title}.`)
          .join(" "),
        schemaWithRefs(Problem, PREFIX),
      ),
    ]),
  );
}

function content(type: string, description: string, schema: Json): Json {
  return { description, content: { [type]: { schema } } };
}
