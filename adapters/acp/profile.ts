import type { Capability, MessageErrorName, Mode } from "../../schemas/index.js";
import type { NativeMode, ProgramSpec } from "../contract.js";

/** Where something stands in what is known of a tool call, such as `rawOutput.output` or `_meta.toolName`. */
export type FieldPath = string | readonly string[];

/** How the name of a tool is found: in a field, or in a part of the call's id. */
export type NameSource = { readonly field: FieldPath } | { readonly id: RegExp };

/** A text that is no word of the model, and what it says. */
export interface NoticeRule {
  readonly pattern: RegExp;
  /** The turn failed with it, although the agent says that it came to its end. */
  readonly failure?: { readonly name: MessageErrorName; readonly retryable: boolean };
}

/** What sets one agent apart from another: data only. What is left out is as the protocol says. */
export interface Profile {
  readonly id: string;
  readonly name: string;
  readonly testedVersion: string;
  readonly program: ProgramSpec;
  readonly args: readonly string[];
  /** Variables to set; undefined removes one that would be inherited. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly capabilities: readonly Capability[];
  readonly modes: Readonly<Record<Mode, NativeMode>>;
  /** Options beside those of every agent, by the id or the category of the agent's own. */
  readonly options?: Readonly<Record<string, "string" | "number" | "boolean">>;
  readonly tools: {
    /** Where the name of a tool stands, the best place first. */
    readonly names: readonly NameSource[];
    /** The name of a tool of an MCP server: the server, then its tool. */
    readonly mcp?: RegExp;
    /** The title of a command is the command. */
    readonly titleIsCommand?: boolean;
    /** The arguments stream as the content of a call that has not begun. */
    readonly inputInContent?: boolean;
    /** What the agent adds to the end of an output, which is not of the tool. */
    readonly outputTail?: RegExp;
    /** Where the output of a tool stands, the best place first; `terminal` is what came through terminal metadata. */
    readonly outputs: readonly FieldPath[];
  };
  /** What an id of a message names: a whole response of the model, or one item of it. */
  readonly messageIDs: "response" | "item";
  /** What the usage of a prompt's answer counts: the whole turn, or only its last response. */
  readonly promptUsage: "turn" | "last-response";
  /** Whether the history that comes with `session/load` comes before the answer to it, or after. */
  readonly replay: "before-answer" | "after-answer";
  /** Texts that are no words of the model. */
  readonly notices: readonly NoticeRule[];
  /** A turn that ends well without a word or a call has failed. */
  readonly emptyTurnFails: boolean;
  /** A text that tells the mode in force, which is the pattern's group. */
  readonly modeText?: RegExp;
  /** Marks chunks that are messages of their own, not pieces of one. */
  readonly discrete?: FieldPath;
  /** Each thought comes whole, and is not a piece of one. */
  readonly wholeThoughts?: boolean;
  /** Where a chunk says what it is, and the words for one that is a note of the agent's program. */
  readonly noteSource?: { readonly field: FieldPath; readonly values: readonly string[] };
  /** The field of a tool call that names the call of the subagent it belongs to. */
  readonly parentCall?: FieldPath;
  /** A permission request that is a question: the field with its questions. */
  readonly questions?: FieldPath;
  /** A notification that ends a turn which the agent began by itself. */
  readonly ownTurnEnd?: string;
  /** Notifications of the vendor that have no meaning here. */
  readonly ignored: readonly string[];
  /** How long its program may take to end when its input ends, in milliseconds, where that is not as with others. */
  readonly inputEndMs?: number;
  /** How long the agent has to end a turn after a cancel before it is killed, in milliseconds. */
  readonly cancelMs: number;
  /** How long a turn that the agent began by itself may be silent before it is over, in milliseconds. */
  readonly quietMs: number;
}

const UNSUPPORTED: NativeMode = { native: "", fidelity: "unsupported" };

/** A profile's modes: those that are not named are refused. */
export function modeTable(modes: Partial<Record<Mode, NativeMode>>): Record<Mode, NativeMode> {
  return {
    default: { native: "", fidelity: "approximate" },
    acceptEdits: UNSUPPORTED,
    plan: UNSUPPORTED,
    "read-only": UNSUPPORTED,
    "safe-yolo": UNSUPPORTED,
    yolo: UNSUPPORTED,
    bypassPermissions: UNSUPPORTED,
    auto: UNSUPPORTED,
    ...modes,
  };
}

export const exact = (native: string): NativeMode => ({ native, fidelity: "exact" });
export const approximate = (native: string): NativeMode => ({ native, fidelity: "approximate" });

const PLATFORMS = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64", "win32-x64", "win32-arm64"];

/** A program that is a script of one npm package, the same on every platform. */
export function scriptProgram(command: string, name: string, file: string): ProgramSpec {
  return {
    command,
    packages: Object.fromEntries(PLATFORMS.map((platform) => [platform, { name, file }])),
    versionArgs: ["--version"],
  };
}

/** A program with a native build of its own for each platform; `windows` is the file's name there. */
export function nativeProgram(command: string, prefix: string, file: string, windows = `${file}.exe`): ProgramSpec {
  return {
    command,
    packages: Object.fromEntries(
      PLATFORMS.map((platform) => [
        platform,
        { name: `${prefix}-${platform}`, file: platform.startsWith("win32") ? windows : file },
      ]),
    ),
    versionArgs: ["--version"],
  };
}
