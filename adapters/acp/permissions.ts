import type { BlockOption, Decision, PermissionBlock, QuestionInfo } from "../../schemas/index.js";
import { isRecord } from "../shared/is-record.js";
import { nextId } from "../shared/transcript.js";
import { type AskPlace, askOfToken, CANCELLED, canBlock, openAsk, placeOfItsOwn } from "./asks.js";
import { changesIn, upsertCall } from "./calls.js";
import { at } from "./content.js";
import type { RequestParams } from "./frame.js";
import { ensureTurn } from "./responses.js";
import { sendAnswer } from "./rpc.js";
import { type AcpDraft, type Call, conversationKey, type OptionOfAsk } from "./state.js";
import { contentText } from "./tool-results.js";
import { type ToolView, viewOf } from "./tools.js";

type Permission = RequestParams<"session/request_permission">;
type NativeOption = NonNullable<Permission["options"]>[number];

const DECISIONS: Readonly<Record<string, Decision>> = {
  allow_once: "once",
  allow_always: "always",
  reject_once: "reject",
  reject_always: "reject",
};

/** Whatever an agent asks gets an answer: it waits without a limit. */
export function onPermission(draft: AcpDraft, token: string, params: Permission): void {
  if (askOfToken(draft, token)) return;
  if (draft.state.aborting) return sendAnswer(draft, token, CANCELLED);
  ensureTurn(draft);
  const { toolCall } = params;
  const call = upsertCall(draft, toolCall, { isView: true });
  const place: AskPlace = canBlock(draft, call?.callID)
    ? { callID: call?.callID ?? "", synthetic: false }
    : placeOfItsOwn(draft, toolCall.toolCallId, call ? "permission" : "other");
  const shown = call ?? { callID: place.callID, name: null, diffs: [], terminal: "", ...titleOf(toolCall.title) };
  const options = params.options ?? [];
  const questions = draft.profile.questions && at(toolCall, draft.profile.questions);
  if (Array.isArray(questions)) return askQuestions(draft, { token, place, call: shown, options }, questions);
  askPermission(draft, { token, place, call: shown, options });
}

function titleOf(title: string | null | undefined): { title?: string } {
  return title == null ? {} : { title };
}

interface Asking {
  readonly token: string;
  readonly place: AskPlace;
  readonly call: Call;
  readonly options: readonly NativeOption[];
}

function askPermission(draft: AcpDraft, { token, place, call, options }: Asking): void {
  const view = viewIn(draft, place, call);
  const block = blockOf(draft, view, call, options);
  const base = { token, blockID: block.id, nativeID: conversationKey(draft), ...place };
  openAsk(draft, { kind: "permission", options: options.map(optionOfAsk), ...base }, view, block);
}

function viewIn(draft: AcpDraft, { callID }: AskPlace, call: Call): ToolView {
  const { session, tools } = draft.transcript;
  return viewOf(call, tools[callID]?.tool ?? "other", session.directory, draft.profile);
}

/**
 * The agent's options go to the person as they are: two of one kind may differ in all that matters, as "allow for this
 * project" and "allow for this user" do. A plain decision is offered only where one option alone means it.
 */
function blockOf(draft: AcpDraft, view: ToolView, call: Call, options: readonly NativeOption[]): PermissionBlock {
  const plain = (["once", "always", "reject"] as const).filter(
    (decision) => optionsFor(decision, options).length === 1,
  );
  const filepath = view.input.filePath;
  const about = contentText(call);
  return {
    type: "permission",
    id: nextId(draft, "per"),
    permission: view.permission,
    patterns: view.patterns,
    // What is not known is not allowed for good: the agent's own option can still be named.
    always: plain.includes("always") && !view.patterns.includes("*") ? view.patterns : [],
    options: options.map(blockOption),
    // Nobody is made to allow: without an option that rejects, the agent hears that nothing was chosen.
    decisions: [...new Set<Decision>([...plain, "reject"])],
    metadata: {
      ...(call.title && { title: call.title }),
      ...(about !== "" && { description: about }),
      ...(typeof filepath === "string" && { filepath }),
      ...changesIn(draft, call),
    },
  };
}

function optionsFor(decision: Decision, options: readonly NativeOption[]): NativeOption[] {
  return options.filter(({ kind }) => DECISIONS[kind ?? ""] === decision);
}

/** An option of a kind that is not known is never chosen by itself, and allows no more than this once. */
function blockOption({ optionId, name, kind }: NativeOption): BlockOption {
  return { optionID: optionId, label: name ?? optionId, decision: DECISIONS[kind ?? ""] ?? "once" };
}

function optionOfAsk({ optionId, kind }: NativeOption): OptionOfAsk {
  return { id: optionId, kind: kind ?? "" };
}

/** The option that a decision means; undefined where none does, or more than one. */
export function optionFor(decision: Decision, options: readonly OptionOfAsk[]): string | undefined {
  const fitting = options.filter(({ kind }) => DECISIONS[kind] === decision);
  const [first] = fitting;
  // To reject for good is said only where nothing less can be.
  if (decision === "reject") return (fitting.find(({ kind }) => kind === "reject_once") ?? first)?.id;
  return fitting.length === 1 ? first?.id : undefined;
}

/** Some ask their questions as a permission to go on, and take the answers beside it. */
function askQuestions(draft: AcpDraft, { token, place, call, options }: Asking, list: readonly unknown[]): void {
  const questions = list.filter(isRecord).map(questionOf);
  const id = nextId(draft, "que");
  const base = { token, blockID: id, nativeID: conversationKey(draft), ...place };
  const view = viewIn(draft, place, call);
  openAsk(draft, { kind: "questions", options: options.map(optionOfAsk), ...base }, view, {
    type: "question",
    id,
    questions,
  });
}

function questionOf({ question, header, options, multiSelect }: Record<string, unknown>): QuestionInfo {
  const choices = Array.isArray(options) ? options.filter(isRecord) : [];
  return {
    question: String(question ?? ""),
    header: String(header ?? ""),
    options: choices.map(({ label, description }) => ({
      label: String(label ?? ""),
      description: String(description ?? ""),
    })),
    ...(multiSelect === true && { multiple: true }),
    custom: true,
  };
}
