/** Counts what a client is told out of its order: an older cursor after a newer one, a delta before the text it goes on from. */
export function watchOrder() {
  const lengths = new Map();
  let cursor = "";
  const watch = {
    inversions: 0,
    take({ event, cursor: next = cursor }) {
      const { part, partID, offset, delta } = event.properties;
      if (next < cursor) watch.inversions += 1;
      cursor = next;
      if (event.type === "message.part.updated") lengths.set(part.id, part.text?.length ?? 0);
      if (event.type !== "message.part.delta") return;
      if (!(offset <= lengths.get(partID))) watch.inversions += 1;
      lengths.set(partID, Math.max(lengths.get(partID) ?? 0, offset + delta.length));
    },
  };
  return watch;
}
