import { AgentwireError, connect, type PendingBlock, type SessionHandle } from "../../../src/client/index.js";
import { Follower } from "./follower.js";
import type { FollowOptions, PageGlobals } from "./page-api.js";

let follower: Follower | undefined;

async function follow({ sessionID, ...options }: FollowOptions): Promise<void> {
  try {
    const client = await connect({ ...options, reconnect: { minMs: 10, maxMs: 100 } });
    const session = client.session(sessionID);
    const onConnection = (lost?: AgentwireError): void => show("connection", lost ? lost.message : "connected again");
    const events = session.events({ snapshot: true, onConnection });
    follower = new Follower(events, sessionID);
    session.onBlocked((pending) => showBlock(session, pending));
    await events.opened;
    show("connection", "connected");
  } catch (error) {
    show("refusal", describe(error));
  }
}

function showBlock(session: SessionHandle, { tool, block }: PendingBlock): void {
  const [item, button, outcome] = [create("li"), create("button"), create("output")];
  item.id = block.id;
  button.textContent = "Allow";
  button.addEventListener("click", async () => {
    outcome.textContent = await allow(session, block);
  });
  item.append(tool, button, outcome);
  find("blocks").append(item);
}

async function allow(session: SessionHandle, block: PendingBlock["block"]): Promise<string> {
  try {
    await session.reply(block, "once");
    return "allowed";
  } catch (error) {
    return describe(error);
  }
}

function describe(error: unknown): string {
  if (!(error instanceof AgentwireError)) return String(error);
  return [`${error.kind}: ${error.message}`, error.hint].filter((text) => text !== undefined).join("\n");
}

function show(id: string, text: string): void {
  find(id).textContent = text;
}

function find(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

function create<Name extends keyof HTMLElementTagNameMap>(name: Name): HTMLElementTagNameMap[Name] {
  return document.createElement(name);
}

(globalThis as unknown as PageGlobals).agentwirePage = {
  follow,
  documentWhenTitled: async (title) => {
    if (!follower) throw new Error("the page follows no session");
    return follower.documentWhenTitled(title);
  },
};
