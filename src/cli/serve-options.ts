import { z } from "zod";
import { logLevelOption } from "./log-level.js";
import { KeepDays, ProgramFlags } from "./parse-options.js";
import { defaultDatabase, defaultTokenFile, gatewaySocketPath } from "./state-folder.js";

export const DEFAULT_PORT = 4750;
export const DEFAULT_KEEP_SECONDS = 300;
export const DEFAULT_IDLE_MINUTES = 30;
/** A week: a timer cannot be set for more than 24 days. */
const MAX_IDLE_MINUTES = 7 * 24 * 60;

export const SERVE_FLAGS = {
  port: { type: "string" },
  host: { type: "string" },
  socket: { type: "string" },
  "no-socket": { type: "boolean" },
  "token-file": { type: "string" },
  "allow-remote": { type: "boolean" },
  "allow-host": { type: "string", multiple: true },
  "allow-origin": { type: "string", multiple: true },
  db: { type: "string" },
  program: { type: "string", multiple: true },
  rules: { type: "string" },
  replace: { type: "boolean" },
  daemon: { type: "boolean" },
  "keep-agents": { type: "string" },
  "idle-minutes": { type: "string" },
  "keep-days": { type: "string" },
  agents: { type: "string" },
  "log-level": { type: "string" },
} as const;

/** What `serve` is asked for, in the foreground and as a daemon. */
export const ServeOptions = z
  .object({
    port: z.coerce.number().int().min(0).max(65535).default(DEFAULT_PORT),
    host: z.string().default("127.0.0.1"),
    socket: z.string().min(1).optional(),
    "no-socket": z.boolean().default(false),
    "token-file": z.string().default(defaultTokenFile),
    "allow-remote": z.boolean().default(false),
    "allow-host": z.array(z.string()).default([]),
    "allow-origin": z.array(z.string()).default([]),
    db: z.string().default(defaultDatabase),
    program: ProgramFlags,
    rules: z.string().optional(),
    replace: z.boolean().default(false),
    daemon: z.boolean().default(false),
    "keep-agents": z.coerce.number().min(0).default(DEFAULT_KEEP_SECONDS),
    "idle-minutes": z.coerce.number().min(0).max(MAX_IDLE_MINUTES).default(DEFAULT_IDLE_MINUTES),
    "keep-days": KeepDays,
    agents: z.string().optional(),
    "log-level": logLevelOption("info"),
  })
  .refine((options) => !options["no-socket"] || options.socket === undefined, {
    path: ["no-socket"],
    message: "takes back what --socket asks for",
  })
  .transform(({ "no-socket": isUnwanted, ...options }) => ({
    ...options,
    socket: isUnwanted ? undefined : (options.socket ?? gatewaySocketPath(options.db)),
  }));

export type ServeOptions = z.infer<typeof ServeOptions>;
