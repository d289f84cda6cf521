import type { Channel } from "./channel.js";

/** Plain text: each line is a frame `{line}`, both ways. What is noise in text only the adapter can know. */
export const textChannel: Channel = {
  read: (line) => [{ kind: "frame", frame: { line } }],
  encode: encodeText,
};

function encodeText(frame: unknown): string {
  const line = (frame as { line?: unknown } | null | undefined)?.line;
  if (typeof line !== "string") throw new TypeError("A frame of a text channel must be {line: string}");
  if (line.includes("\n")) throw new TypeError("The line of a text frame must not hold a line break");
  return `${line}\n`;
}
