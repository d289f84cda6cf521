/** Texts that stand for something else: what the CLI writes as a user line in tags of its own. */

const OUTPUT = /<(local-command-stdout|local-command-stderr|bash-stdout|bash-stderr)>([\s\S]*?)<\/\1>/g;
const COMMAND = /<command-name>\/?([\s\S]*?)<\/command-name>/;
const ARGUMENTS = /<command-args>([\s\S]*?)<\/command-args>/;
const SHELL = /^<bash-input>([\s\S]*?)<\/bash-input>/;
const NOTIFICATION = "<task-notification>";

/** What a command of the CLI printed; undefined for other text. */
export function localOutputIn(text: string): string | undefined {
  if (!/^\s*<(local-command|bash)-std/.test(text)) return undefined;
  return [...text.matchAll(OUTPUT)]
    .map((match) => match[2] ?? "")
    .filter((output) => output !== "")
    .join("\n");
}

/** A prompt as the user typed it: commands stand in the transcript taken apart. */
export function spokenText(text: string): string {
  const shell = SHELL.exec(text)?.[1];
  if (shell !== undefined) return `!${shell}`;
  const name = COMMAND.exec(text)?.[1];
  if (name === undefined) return text;
  return `/${name} ${ARGUMENTS.exec(text)?.[1] ?? ""}`.trim();
}

export function isNotification(text: string): boolean {
  return text.startsWith(NOTIFICATION);
}

/** Which task a notification is about, and how it ended. */
export function taskIn(text: string): { readonly taskID: string | undefined; readonly status: string | undefined } {
  return { taskID: tagged(text, "task-id"), status: tagged(text, "status") };
}

function tagged(text: string, tag: string): string | undefined {
  return new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(text)?.[1];
}
