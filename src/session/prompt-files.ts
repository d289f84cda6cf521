import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { AnyAdapter, FileSupport } from "../../adapters/index.js";
import { BLOB_SCHEME, type PromptPart } from "../../schemas/index.js";
import { GatewayError } from "../gateway-error.js";
import type { Store } from "../store/store.js";
import { isInside } from "./real-directory.js";

type FilePart = Extract<PromptPart, { type: "file" }>;

const DATA_URL = /^data:([^;,]+)((?:;[^;,]*)*),(.*)$/s;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

export interface PromptFileContext {
  readonly adapter: AnyAdapter;
  readonly store: Store;
  /** Directories that files may lie in, with all below them; everywhere when empty. */
  readonly roots: readonly string[];
}

/** The parts of a prompt with every file as the agent can take it; throws for one that it cannot take, with its field. */
export function readyFiles(parts: readonly PromptPart[], context: PromptFileContext): readonly PromptPart[] {
  return parts.map((part, i) => (part.type === "file" ? readyFile(part, `parts[${i}]`, context) : part));
}

function readyFile(part: FilePart, field: string, { adapter, store, roots }: PromptFileContext): FilePart {
  const { files } = adapter;
  if (!files)
    throw new GatewayError("not_supported", `${adapter.name} takes no files here`, { field: `${field}.type` });
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(part.url)?.[0].toLowerCase();
  switch (scheme) {
    case BLOB_SCHEME:
      return readyFile(withBytes(part, field, store), field, { adapter, store, roots });
    case "data:":
      return readyInline(part, field, adapter.name, files);
    case "file:":
      checkLinked(part, field, roots);
      checkKind(part, field, "a file: URL", adapter.name, files.linked);
      return part;
    default: {
      const hint = "give a data: URL in base64, the file: URL of a file on the gateway's machine, or a blob: of a part";
      throw new GatewayError("invalid_params", `${field}.url is no URL of a file`, { field: `${field}.url`, hint });
    }
  }
}

function withBytes(part: FilePart, field: string, store: Store): FilePart {
  const blob = store.blob(part.url.slice(BLOB_SCHEME.length));
  if (!blob) throw new GatewayError("not_found", `there is no ${part.url}`, { field: `${field}.url` });
  return { ...part, url: `data:${part.mime};base64,${blob.data.toString("base64")}` };
}

/** However its bytes are written, an adapter gets them in base64. */
function readyInline(part: FilePart, field: string, agent: string, { inline }: FileSupport): FilePart {
  const [, mime, flags = "", body = ""] = DATA_URL.exec(part.url) ?? [];
  const data = flags.endsWith(";base64") ? body : base64OfText(body);
  if (mime === undefined || data === undefined || !BASE64.test(data)) {
    throw new GatewayError("invalid_params", `${field}.url is a data: URL that is not "data:<mime>;base64,<bytes>"`, {
      field: `${field}.url`,
    });
  }
  if (mime !== part.mime) {
    throw new GatewayError("invalid_params", `${field}.mime is "${part.mime}", but its URL says "${mime}"`, {
      field: `${field}.mime`,
    });
  }
  checkKind(part, field, "a data: URL", agent, inline);
  return { ...part, url: `data:${mime};base64,${data}` };
}

/** Undefined for what is not percent-encoded as it should be. */
function base64OfText(encoded: string): string | undefined {
  try {
    return Buffer.from(decodeURIComponent(encoded), "utf8").toString("base64");
  } catch {
    return undefined;
  }
}

function checkKind(part: FilePart, field: string, as: string, agent: string, kinds: readonly string[]): void {
  if (kinds.some((kind) => matches(part.mime, kind))) return;
  throw new GatewayError("not_supported", `${agent} takes no ${part.mime} as ${as}`, {
    field: `${field}.mime`,
    hint: `as ${as} it takes: ${kinds.join(", ") || "nothing"}`,
  });
}

function matches(mime: string, kind: string): boolean {
  return kind === "*" || mime === kind || (kind.endsWith("/") && mime.startsWith(kind));
}

/** A file that is not there, or that sessions have no business with, would be passed over in silence. */
function checkLinked(part: FilePart, field: string, roots: readonly string[]): void {
  const path = localPath(part.url, field);
  if (roots.length > 0 && !isInside(path, roots)) {
    throw new GatewayError("forbidden", `"${path}" is outside the directories that sessions may work in`, {
      field: `${field}.url`,
    });
  }
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) return;
  throw new GatewayError("invalid_params", `"${path}" is not a file`, { field: `${field}.url` });
}

function localPath(url: string, field: string): string {
  try {
    return fileURLToPath(url);
  } catch (error) {
    throw new GatewayError("invalid_params", `${field}.url is no local path: ${(error as Error).message}`, {
      field: `${field}.url`,
      cause: error,
    });
  }
}
