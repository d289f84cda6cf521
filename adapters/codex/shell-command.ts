const SHELL_WORD = /(?:^|\/)(?:ba|z|da|k|fi)?sh$/;
const COMMAND_FLAG = /^-l?i?c$/;

/** The command a person wrote: the app-server shows it as `/bin/bash -lc '…'`. */
export function unwrapCommand(command: string): string {
  const [shell, flag, inner, ...rest] = splitWords(command) ?? [];
  if (shell === undefined || flag === undefined || inner === undefined || rest.length > 0) return command;
  return SHELL_WORD.test(shell) && COMMAND_FLAG.test(flag) ? inner : command;
}

const WORD = /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\]+)|(\s+)/g;

/** The words of a command as a POSIX shell splits them; undefined where a quote does not end. */
export function splitWords(command: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let end = 0;
  for (const match of command.trim().matchAll(WORD)) {
    if (match.index !== end) return undefined;
    end = match.index + match[0].length;
    const [, single, double, escaped, plain, blank] = match;
    if (blank !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? "") + (single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? plain ?? "");
    }
  }
  if (end !== command.trim().length) return undefined;
  return word === undefined ? words : [...words, word];
}
