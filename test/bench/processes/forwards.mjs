// What can be done with an agent's output without a gateway, from the dearest to the cheapest. Each takes what sends a
// message and gives what takes a chunk.
const NEWLINE = 0x0a;

/** Each line is one message, unread. */
export const eachLine = (send) =>
  wholeLines((bytes) => {
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      send(bytes.subarray(start, end));
      start = end + 1;
    }
  });

/** Each line is parsed and written anew; what was read together is one message: the least that any translation costs. */
export const eachParsed = (send) =>
  wholeLines((bytes) => {
    const lines = bytes.toString("utf8", 0, bytes.length - 1).split("\n");
    send(`[${lines.map((line) => JSON.stringify(JSON.parse(line))).join(",")}]`);
  });

/** What was read together is one message, unread: the least that any way costs. */
export const eachChunk = (send) => wholeLines(send);

/** Hands on the lines of a chunk that are whole, with their ends. */
function wholeLines(take) {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end > 0) take(bytes.subarray(0, end));
    rest = bytes.subarray(end);
  };
}
