import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { type Method, PROTOCOL_VERSION, ROUTES, type Route } from "../../schemas/index.js";
import { GatewayError } from "../gateway-error.js";
import { type AdmissionPolicy, checkSource, checkToken } from "./admission.js";
import { admit } from "./admit.js";
import type { ConnectionHandlers } from "./dispatch.js";
import type { EventStream } from "./event-stream.js";
import type { EventStreams } from "./event-streams.js";
import { COMMON_HEADERS, crossOriginHeaders, isPreflight, PREFLIGHT_HEADERS } from "./http-headers.js";
import { httpParams } from "./http-params.js";
import { initialize } from "./initialize.js";
import { nearestRoute } from "./nearest-route.js";
import { observeRequest } from "./observe-request.js";
import { problemHeaders, problemOf } from "./problem.js";
import { readBody } from "./read-body.js";
import { reportFailure } from "./report-failure.js";
import type { ServerCore } from "./server-core.js";

/** The text format of Prometheus. */
const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

type Env = { Bindings: HttpBindings };
type HttpContext = Context<Env>;

export interface HttpAppOptions {
  readonly core: ServerCore;
  readonly policy: AdmissionPolicy;
  readonly streams: EventStreams;
  readonly isClosing: () => boolean;
}

/** Every request of `ROUTES` as HTTP, in front of the same dispatch as any other transport's. */
export function createHttpApp(options: HttpAppOptions): Hono<Env> {
  const { core, policy } = options;
  const app = new Hono<Env>();
  app.onError((thrown, context) => answerError(context, reportFailure(thrown, context.req.path, core.log)));
  app.notFound((context) => answerError(context, unknownRoute(context)));
  app.use(async ({ env: { incoming, outgoing } }, next) => {
    for (const [name, value] of Object.entries(COMMON_HEADERS)) outgoing.setHeader(name, value);
    admit(core, incoming, () => checkSource(incoming, policy));
    for (const [name, value] of Object.entries(crossOriginHeaders(incoming.headers))) outgoing.setHeader(name, value);
    return isPreflight(incoming) ? new Response(null, { status: 204, headers: PREFLIGHT_HEADERS }) : next();
  });
  app.get("/health", (context) => answerJson(context, { status: "ok", protocolVersion: PROTOCOL_VERSION }));
  app.use(async ({ env: { incoming } }, next) => {
    admit(core, incoming, () => checkToken(incoming, policy));
    if (options.isClosing()) throw new GatewayError("shutting_down", "The gateway is shutting down");
    return next();
  });
  addMetrics(app, core);
  addDocuments(app);
  addRoutes(app, options);
  return app;
}

/** For whoever watches the gateway: in front of the token like everything that tells of sessions. */
function addMetrics(app: Hono<Env>, { metrics }: ServerCore): void {
  if (metrics) app.get("/metrics", (context) => context.body(metrics(), 200, { "content-type": METRICS_TYPE }));
}

/** Made when they are asked for: most who start a gateway never do. */
function addDocuments(app: Hono<Env>): void {
  app.get("/openapi.json", async (context) => {
    const { buildOpenApi } = await import("../../schemas/openapi.js");
    return answerJson(context, buildOpenApi());
  });
  app.get("/openrpc.json", async (context) => {
    const { buildOpenRpc } = await import("../../schemas/openrpc.js");
    return answerJson(context, buildOpenRpc());
  });
}

function addRoutes(app: Hono<Env>, options: HttpAppOptions): void {
  const routes = Object.entries(ROUTES) as [Method, Route][];
  const { counts } = options.core;
  const log = options.core.log.child({ connection: "http" });
  const honoPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ":$1");
  for (const [method, { verb, path }] of routes) {
    app.on(verb, honoPath(path), (context) =>
      observeRequest({ counts, log }, method, () => answer(context, method, options)),
    );
  }
  for (const path of new Set(routes.map(([, route]) => route.path))) {
    const verbs = routes.filter(([, route]) => route.path === path).map(([, { verb }]) => verb);
    app.all(honoPath(path), (context) => refuseVerb(context, verbs));
  }
}

async function answer(context: HttpContext, method: Method, options: HttpAppOptions): Promise<Response> {
  const { core, streams } = options;
  const { incoming, outgoing } = context.env;
  const params = await httpParams(method, {
    pathParam: (name) => context.req.param(name) ?? "",
    query: context.req.queries(),
    body: () => readBody(incoming, core.limits.messageBytes),
  });
  let stream: EventStream | undefined;
  const handlers: ConnectionHandlers = {
    initialize: (given) => initialize(given, core.version),
    "events.subscribe": (given) => {
      if (incoming.method === "HEAD") refuseVerb(context, [ROUTES[method].verb]);
      stream = streams.open(outgoing, given);
      return stream.result;
    },
    "events.unsubscribe": ({ subscriptionID }) => streams.end(subscriptionID),
  };
  const result = await core.dispatch(method, withLastEvent(params, method, context), handlers);
  if (!stream) return answerJson(context, result);
  stream.start();
  return RESPONSE_ALREADY_SENT;
}

/** A browser that comes back to a stream asks for the address it asked for first, and adds how far it came. */
function withLastEvent(params: unknown, method: Method, context: HttpContext): unknown {
  const lastEventID = context.req.header("last-event-id");
  if (method !== "events.subscribe" || !lastEventID) return params;
  return { ...(params as object), after: lastEventID };
}

function answerJson(context: HttpContext, body: object): Response {
  return context.body(`${JSON.stringify(body)}\n`, 200, { "content-type": "application/json" });
}

function answerError(context: HttpContext, error: GatewayError): Response {
  const problem = problemOf(error);
  const status = problem.status as ContentfulStatusCode;
  return context.body(`${JSON.stringify(problem)}\n`, status, problemHeaders(error));
}

function refuseVerb(context: HttpContext, verbs: readonly string[]): never {
  const allowed = verbs.join(", ");
  context.env.outgoing.setHeader("allow", allowed);
  throw new GatewayError("method_not_allowed", `${context.req.method} is not done to ${context.req.path}`, {
    hint: `Allowed here: ${allowed}.`,
  });
}

function unknownRoute({ req }: HttpContext): GatewayError {
  const nearest = nearestRoute(req.method, req.path);
  return new GatewayError("method_not_found", `There is no ${req.method} ${req.path.slice(0, 200)}`, {
    hint:
      nearest === undefined ? "GET /openapi.json lists the routes; the WebSocket is at /." : `Did you mean ${nearest}?`,
  });
}
