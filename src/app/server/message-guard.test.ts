import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { describe, expect, it } from "vitest";
import { type DroppedLine, messageGuard } from "./message-guard.ts";

const LONGEST = 2_000;

async function through(...chunks: string[]): Promise<{ passed: string; dropped: DroppedLine[] }> {
  const dropped: DroppedLine[] = [];
  const passed: string[] = [];
  const guard = messageGuard(
    LONGEST,
    (line) => passed.push(line.toString()),
    (line) => dropped.push(line),
  );
  await finished(Readable.from(chunks.map((chunk) => Buffer.from(chunk))).pipe(guard));
  return { passed: passed.join(""), dropped };
}

/** A call as the SDK's own client writes it, with the id at the end. */
const call = (id: number | string, filler: string) =>
  `${JSON.stringify({ method: "tools/call", params: { name: "x", arguments: { id: 99, filler } }, jsonrpc: "2.0", id })}\n`;

describe("the guard before the transport", () => {
  it("lets lines through as they are, however they are cut into chunks", async () => {
    const lines = call(1, "가나다") + call(2, "b");
    const bytes = [...lines].map((character) => character);
    expect((await through(...bytes)).passed).toBe(lines);
    expect((await through(lines)).passed).toBe(lines);
  });

  it("drops a line that is too long and goes on with the next", async () => {
    const { passed, dropped } = await through(call(7, "x".repeat(5_000)) + call(8, "y"));
    expect(passed).toBe(call(8, "y"));
    expect(dropped).toEqual([
      { bytes: call(7, "x".repeat(5_000)).length, id: 7, isToolCall: true },
    ]);
  });

  it("finds the id at the end, over many chunks, and never one from within", async () => {
    const line = call("a-1", "x".repeat(50_000));
    const chunks = line.match(/.{1,700}|\n/gs) ?? [];
    expect((await through(...chunks)).dropped).toEqual([
      { bytes: line.length, id: "a-1", isToolCall: true },
    ]);
  });

  it("finds the id at the beginning", async () => {
    const line = `{"jsonrpc":"2.0","id":3,"method":"ping","params":{"filler":"${"x".repeat(5_000)}"}}\n`;
    expect((await through(line)).dropped).toEqual([
      { bytes: line.length, id: 3, isToolCall: false },
    ]);
  });

  it("knows no id where there is none", async () => {
    const line = `{"method":"notifications/x","params":{"id":5,"filler":"${"x".repeat(5_000)}"}}\n`;
    expect((await through(line)).dropped[0]?.id).toBeUndefined();
  });

  it("lets the last line through when input ends, also without an end of its own", async () => {
    const line = call(1, "a").trimEnd();
    expect(await through(call(2, "b"), line.slice(0, 9), line.slice(9))).toEqual({
      passed: call(2, "b") + line,
      dropped: [],
    });
    const long = call(7, "x".repeat(5_000)).trimEnd();
    expect((await through(long)).dropped).toEqual([
      { bytes: long.length, id: 7, isToolCall: true },
    ]);
  });
});
