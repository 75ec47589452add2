/** Lines of a coding session as benches read them (`bench/support/coding-sessions.ts`), for data that a test makes up. */
import type { Line } from "../../bench/support/coding-sessions.ts";
import type { Content } from "../../src/sessions/kinds/event.ts";

/** A text, a call of a tool, or its result with whether it failed. */
export type SaidLine =
  | readonly [kind: "tool_use", tool: string, input: Content]
  | readonly [kind: "tool_result", text: string, error?: boolean]
  | readonly [kind: "user" | "assistant" | "compact_boundary" | "compact_summary", text: string];

const START = Date.parse("2026-02-12T09:00:00.000Z");
const HOUR_MS = 3_600_000;
const SECOND_MS = 1_000;

/** A session of an hour of its own; each result answers the call before it. */
export function saidSession(number: number, said: readonly SaidLine[]): Line[] {
  const session = `5e55100${number}-0000-4000-8000-00000000000${number}`;
  let calls = 0;
  return said.map((one, seq): Line => {
    const ts = new Date(START + number * HOUR_MS + seq * SECOND_MS).toISOString();
    if (one[0] === "tool_use") {
      calls++;
    }
    return { session, seq, ts, ...fieldsOf(one, `toolu_${number}_${calls}`) };
  });
}

function fieldsOf(said: SaidLine, call: string): Pick<Line, "kind"> & Partial<Line> {
  switch (said[0]) {
    case "tool_use": {
      const [kind, tool, input] = said;
      return { kind, tool, input, id: call, file: String(input.file_path ?? "") || null };
    }
    case "tool_result": {
      const [kind, text, error = false] = said;
      return { kind, text, error, id: call };
    }
    default:
      return { kind: said[0], text: said[1] };
  }
}
