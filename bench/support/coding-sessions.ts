/** Real coding sessions as a record: files with one event a line, of session, seq, ts, kind, side, text, tool, id, input and file. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { groupBy } from "../../src/ground/core/collections.ts";
import type { Content, Event } from "../../src/sessions/kinds/event.ts";
import { type Moment, momentsOf } from "./moments.ts";
import { type Recorded, recordedEvent } from "./recorded-event.ts";

export interface Sessions {
  readonly name: string;
  /** Of each session the lines, in their order; the session that began first is the first. */
  readonly sessions: readonly (readonly Line[])[];
  /** In order of time. */
  readonly events: readonly Event[];
  readonly moments: readonly Moment[];
}

export interface Line {
  readonly session: string;
  readonly seq: number;
  readonly ts: string;
  readonly kind: string;
  /** Set for a child agent, which gets its requests from the agent. */
  readonly side?: unknown;
  readonly text?: string;
  readonly tool?: string;
  readonly id?: string;
  readonly input?: Content;
  readonly file?: string | null;
  readonly error?: boolean;
  /** What the client said of a compaction. */
  readonly meta?: Content;
}

/** These name a place to look in, not a file. */
const LOOKS = new Set(["Grep", "Glob", "LS"]);
const EDITS = new Set(["Edit", "Write", "MultiEdit", "NotebookEdit", "apply_patch"]);

/** Reads each `coding-sessions-*.jsonl.gz` in a folder. */
export function readSessions(folder: string): Sessions[] {
  const names = readdirSync(folder).filter((name) => /^coding-sessions-.*\.jsonl\.gz$/.test(name));
  return names.sort().map((name) => {
    const texts = gunzipSync(readFileSync(join(folder, name)))
      .toString()
      .trim()
      .split("\n");
    const lines = texts.map((text) => JSON.parse(text) as Line);
    const events = eventsOf(lines);
    return {
      name: name.replace(/\.jsonl\.gz$/, ""),
      events,
      moments: momentsOf(events),
      sessions: sessionsIn(lines),
    };
  });
}

function sessionsIn(lines: readonly Line[]): Line[][] {
  const sessions = [...groupBy(lines, ({ session }) => session).values()];
  const began = (session: readonly Line[]) => session[0]?.ts ?? "";
  return sessions
    .map((session) => session.toSorted((a, b) => a.seq - b.seq))
    .sort((a, b) => compare(began(a), began(b)));
}

function eventsOf(lines: readonly Line[]): Event[] {
  const calls = new Map(
    lines.flatMap((line) => (line.kind === "tool_use" && line.id ? [[line.id, line]] : [])),
  );
  const sorted = [...lines].sort(
    (a, b) => compare(a.ts, b.ts) || compare(a.session, b.session) || a.seq - b.seq,
  );
  return sorted.flatMap((line) => {
    const said = saidBy(line, calls.get(line.id ?? ""));
    if (said === undefined) {
      return [];
    }
    const { session, seq, ts } = line;
    return [recordedEvent({ session, ts, origin: `${session}:${seq}`, ...said })];
  });
}

/** Undefined for what is not recorded, such as text that the client put in. */
function saidBy(
  line: Line,
  call: Line | undefined,
): Pick<Recorded, "kind" | "actor" | "content"> | undefined {
  const { text = "", tool = "unknown", input = {} } = line;
  switch (line.kind) {
    case "user":
      return { kind: "message", actor: line.side ? "agent" : "human", content: { text } };
    case "assistant":
      return { kind: "message", actor: "agent", content: { text } };
    case "compact_boundary":
      return { kind: "session", actor: "agent", content: { event: "compact" } };
    case "compact_summary":
      return { kind: "summary", actor: "agent", content: { text, of: "compaction" } };
    case "tool_use":
      return {
        kind: "tool_call",
        actor: "agent",
        content: { tool, ...pathOf(line), ...commandOf(input), input },
      };
    case "tool_result": {
      const answered = {
        excerpt_text: text,
        truncated: false,
        ...(line.error && { outcome: "failed" }),
      };
      return { kind: "tool_result", actor: "tool", content: { ...workedOn(call), ...answered } };
    }
  }
  return undefined;
}

function workedOn(call: Line | undefined): Content {
  const { tool = "unknown", input = {} } = call ?? {};
  return {
    tool,
    ...(call && pathOf(call)),
    ...commandOf(input),
    ...(EDITS.has(tool) && { edits: true }),
  };
}

function pathOf({ file, tool = "" }: Line): Content {
  return file && !LOOKS.has(tool) ? { path: file } : {};
}

function commandOf({ command, cmd = command }: Content): Content {
  return cmd === undefined ? {} : { command: cmd };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
