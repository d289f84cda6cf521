/** The text from an offset on, in pieces that never cut a character in half: not every JSON parser takes half of one. */
export function* splitText(
  text: string,
  from: number,
  pieceLength: number,
): Generator<{ readonly offset: number; readonly text: string }> {
  for (let offset = from; offset < text.length; ) {
    let end = Math.min(offset + pieceLength, text.length);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    yield { offset, text: text.slice(offset, end) };
    offset = end;
  }
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
