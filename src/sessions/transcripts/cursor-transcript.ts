/**
 * Reads a line of a transcript of Cursor: JSON Lines, each a message of the person or of the agent. Written from what others
 * say of the format; we never had a transcript that Cursor wrote.
 *
 * No line has an id, and only requests name a time. What tools answered is not in it.
 */
import { hash } from "node:crypto";
import { timeInWords } from "./cursor-time.ts";
import { fieldsOf, known, partsOf, textOf } from "./fields.ts";
import { withoutInjected } from "./injected.ts";
import { readJsonLine } from "./json-lines.ts";
import { isNothing, joinSaid, leaveOut, type SaidIn } from "./said.ts";
import type { Fields, LineReading, Said } from "./transcript.ts";

const TIME = /^\s*<timestamp>([^<]{0,80})<\/timestamp>\s*/;
const QUERY = /<user_query>\s*([\s\S]*)<\/user_query>/;
/** What the client adds for the model stands in tags of its own. */
const ADDED = /^\s*<[a-z_]+>/;
/** What is left of thinking. */
const REDACTED = /\s*\[REDACTED\]\s*$/;
const TURN_END = "turn_ended";
const STOPPED = /abort|cancel/i;

export function readCursorLine(text: string): readonly LineReading[] {
  return readJsonLine(text, (fields) => "role" in fields || fields.type === TURN_END, readingOf);
}

function readingOf(fields: Fields, text: string): LineReading {
  const { content } = fieldsOf(fields.message);
  const isUser = fields.role === "user";
  const [time, rest] = isUser ? timeOf(content) : [undefined, content];
  const { says, leftOut, unknown } = joinSaid(saidIn(fields, rest));
  const ts = time === undefined ? undefined : timeInWords(time);
  const unreadTime = time !== undefined && ts === undefined ? ["user/timestamp"] : [];
  const reading = { leftOut, unknown: [...unknown, ...unreadTime], isConversation: "role" in fields };
  if (says.length === 0) return reading;
  const id = hash("sha256", text).slice(0, 16);
  // Where reading goes on later, the beginning of the turn is looked up: it says the time of all that follows.
  return { line: { id, ...known({ ts, turn: ts }), says }, ...reading };
}

/** What the first text says of the time, and the content without that. */
function timeOf(content: unknown): readonly [string | undefined, unknown] {
  const parts = partsOf(content);
  const time = TIME.exec(textOf(parts[0]?.text) ?? "");
  if (!time) return [undefined, content];
  const [first, ...others] = parts;
  return [time[1], [{ ...first, text: String(first?.text).slice(time[0].length) }, ...others]];
}

function saidIn({ role, type, ...fields }: Fields, content: unknown): SaidIn[] {
  if (type === TURN_END) return [endOf(fields)];
  const parts = partsOf(content);
  if (role === "user") return [requestIn(parts)];
  if (role === "assistant") return parts.length > 0 ? parts.map(partOfAnswer) : [leaveOut("assistant", "blank")];
  return [{ says: [], unknown: [textOf(role) ?? textOf(type) ?? "untyped"] }];
}

function requestIn(parts: readonly Fields[]): SaidIn {
  const others = parts.filter(({ type }) => type !== "text").map(({ type }) => `user/${textOf(type) ?? "untyped"}`);
  const texts = parts.flatMap(({ type, text }) => (type === "text" ? (textOf(text) ?? []) : []));
  const typed = texts.flatMap((text) => QUERY.exec(text)?.[1] ?? (ADDED.test(text) ? [] : text));
  const text = withoutInjected(typed.join("\n")).trim();
  const says: Said[] = text === "" ? [] : [{ kind: "request", text, images: [] }];
  const said = { says, unknown: others };
  return isNothing(said) ? leaveOut("user", "injected") : said;
}

function partOfAnswer({ type, text, name, input, ...fields }: Fields, index: number): SaidIn {
  if (type === "text") {
    const said = (textOf(text) ?? "").replace(REDACTED, "").trim();
    return said === "" ? leaveOut("assistant", "blank") : { says: [{ kind: "reply", text: said }] };
  }
  const tool = textOf(name);
  if (type === "tool_use" && tool !== undefined) {
    // A call has no id either; its place in the line is one.
    const call = String(index);
    return {
      says: [{ kind: "call", call, tool, input: typeof input === "string" ? { patch: input } : fieldsOf(input) }],
    };
  }
  if (type === TURN_END) return endOf(fields);
  if (type === "thinking") return leaveOut("assistant", type);
  return { says: [], unknown: [`assistant/${textOf(type) ?? "untyped"}`] };
}

function endOf({ status, error }: Fields): SaidIn {
  const isStopped = status === "aborted" || STOPPED.test(textOf(error) ?? "");
  return isStopped ? { says: [{ kind: "interruption" }] } : leaveOut(TURN_END);
}
