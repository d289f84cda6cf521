import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { LineWriter } from "../../../src/process/line-writer.js";

/** A pipe that takes a write only when told, and is full after each. */
function createPipe() {
  const taken: string[] = [];
  let release: (error?: Error) => void = () => {};
  const stream = new Writable({
    highWaterMark: 1,
    decodeStrings: false,
    write(chunk: string, _encoding, callback) {
      taken.push(chunk);
      release = callback;
    },
  });
  const next = async (error?: Error) => {
    release(error);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { stream, taken, next };
}

test("the next line waits until the pipe has room (report 10)", async () => {
  const { stream, taken, next } = createPipe();
  const writer = new LineWriter(stream);
  for (const line of ["a\n", "b\n", "c\n"]) writer.write(line);
  expect(taken).toEqual(["a\n"]);
  expect(writer.queued).toBe(2);
  await next();
  expect(taken).toEqual(["a\n", "b\n"]);
  await next();
  expect(taken).toEqual(["a\n", "b\n", "c\n"]);
});

test("the end comes behind what is queued, and nothing after it", async () => {
  const { stream, taken, next } = createPipe();
  const writer = new LineWriter(stream);
  writer.write("a\n");
  writer.write("b\n");
  writer.end();
  writer.write("late\n");
  expect(stream.writableEnded).toBe(false);
  await next();
  await next();
  expect(taken).toEqual(["a\n", "b\n"]);
  expect(stream.writableFinished).toBe(true);
});

test("an end with nothing queued is at once", () => {
  const { stream } = createPipe();
  const writer = new LineWriter(stream);
  writer.end();
  writer.end();
  expect(stream.writableEnded).toBe(true);
});

test("a broken pipe drops the queue and harms nobody", async () => {
  const { stream, taken, next } = createPipe();
  const writer = new LineWriter(stream);
  writer.write("a\n");
  writer.write("b\n");
  await next(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
  writer.write("c\n");
  writer.end();
  expect(taken).toEqual(["a\n"]);
  expect(writer.queued).toBe(0);
});

test("a stream that was destroyed drops the queue", async () => {
  const { stream, next } = createPipe();
  const writer = new LineWriter(stream);
  writer.write("a\n");
  writer.write("b\n");
  stream.destroy();
  await next();
  expect(writer.queued).toBe(0);
});
