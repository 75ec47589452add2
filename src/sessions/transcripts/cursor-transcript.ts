/** Reads a line of Cursor, a JSON message without ids, answers and most times. Thinking that the client shows looks like a reply of the agent. */
import { hash } from "node:crypto";
import { fieldsOf, known, partsOf, textOf, textsOf } from "./fields.ts";
import { patchedFiles, targetPaths } from "./files-of-command.ts";
import {
  leaveOut,
  type Part,
  type ReadObject,
  readJsonLine,
  replyOf,
  unknownPart,
} from "./json-lines.ts";
import { withoutInjected } from "./not-said.ts";
import type {
  Fields,
  LineReading,
  Meaning,
  ToolAnswer,
  ToolCall,
  ToolTarget,
} from "./transcript.ts";

export const agent = "cursor";
export const name = "Cursor";
export const revision = 1;

/** A time as the client writes it for its model: "Tuesday, Jul 21, 2026, 1:11 PM (UTC+3)". */
const TIME_IN_WORDS =
  /^\s*\w+,\s+([A-Z][a-z]{2})[a-z]*\s+(\d{1,2}),\s+(\d{4}),\s+(\d{1,2}):(\d{2})\s*([AP])M\s+\(UTC(?:([+-])(\d{1,2})(?::?(\d{2}))?)?\)\s*$/;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const MINUTE_MS = 60_000;
const TIME = /^\s*<timestamp>([^<]{0,80})<\/timestamp>\s*/;
const QUERY = /<user_query>\s*([\s\S]*)<\/user_query>/;
/** The client's additions for the model begin with a tag. */
const ADDED = /^\s*<[a-z_]+>/;
/** The remains of thinking. */
const REDACTED = /^[ \t]*\[REDACTED\][ \t]*$/gm;
const TURN_END = "turn_ended";
const STOPPED = /abort|cancel/i;

export function readLine(text: string): readonly LineReading[] {
  return readJsonLine(text, (fields) => "role" in fields || fields.type === TURN_END, readObject);
}

function readObject(fields: Fields, text: string): ReadObject {
  const { content } = fieldsOf(fields.message);
  const isUser = fields.role === "user";
  const { time, parts } = isUser ? timeOf(partsOf(content)) : { parts: partsOf(content) };
  const ts = time === undefined ? undefined : timeInWords(time);
  const read = [...partsIn(fields, parts)];
  if (time !== undefined && ts === undefined) read.push(unknownPart("user/timestamp"));
  return {
    parts: read,
    // A later reading looks up the beginning of the turn, because only that has a time.
    line: { id: hash("sha256", text).slice(0, 16), ...known({ ts, turn: ts }) },
    isConversation: "role" in fields,
  };
}

interface TimedParts {
  readonly time?: string | undefined;
  readonly parts: readonly Fields[];
}

/** The time in the first text, and the parts without it. */
function timeOf(parts: readonly Fields[]): TimedParts {
  const [first, ...others] = parts;
  const said = textOf(first?.text) ?? "";
  const found = TIME.exec(said);
  if (!found) return { parts };
  const rest = { ...first, text: said.slice(found[0].length) };
  return { time: found[1], parts: [rest, ...others] };
}

function partsIn({ role, type, ...fields }: Fields, parts: readonly Fields[]): readonly Part[] {
  if (type === TURN_END) return [endOf(fields)];
  if (role === "user") return requestIn(parts);
  if (role === "assistant")
    return parts.length > 0 ? parts.map(partOfAnswer) : [leaveOut("assistant", "blank")];
  return [unknownPart(textOf(role) ?? textOf(type) ?? "untyped")];
}

function requestIn(parts: readonly Fields[]): readonly Part[] {
  const others = parts
    .filter(({ type }) => type !== "text")
    .map(({ type }) => unknownPart(`user/${type ?? "untyped"}`));
  const texts = textsOf(parts.filter(({ type }) => type === "text"));
  const typed = texts.flatMap((text) => QUERY.exec(text)?.[1] ?? (ADDED.test(text) ? [] : text));
  const text = withoutInjected(typed.join("\n")).trim();
  if (text !== "") return [{ kind: "request", text, images: [] }, ...others];
  return others.length > 0 ? others : [leaveOut("user", "injected")];
}

function partOfAnswer({ type, text, name, input, ...fields }: Fields, index: number): Part {
  if (type === "text") return replyOf(textOf(text)?.replace(REDACTED, "").trim());
  const tool = textOf(name);
  // A call has no id, so its place in the line is one.
  if (type === "tool_use" && tool !== undefined)
    return {
      kind: "call",
      call: String(index),
      tool,
      input: typeof input === "string" ? { patch: input } : fieldsOf(input),
    };
  if (type === TURN_END) return endOf(fields);
  return type === "thinking"
    ? leaveOut("assistant", type)
    : unknownPart(`assistant/${type ?? "untyped"}`);
}

function endOf({ status, error }: Fields): Part {
  const isStopped = status === "aborted" || STOPPED.test(textOf(error) ?? "");
  return isStopped ? { kind: "interruption" } : leaveOut(TURN_END);
}

/** The beginning of that minute, ISO 8601. Undefined for any other text, and for a time without a zone. */
export function timeInWords(text: string): string | undefined {
  const found = TIME_IN_WORDS.exec(text);
  if (!found) return undefined;
  const [, name = "", day, year, hour, minute, half, sign, zoneHours = 0, zoneMinutes = 0] = found;
  const month = MONTHS.indexOf(name);
  if (month < 0) return undefined;
  const hours = (Number(hour) % 12) + (half === "P" ? 12 : 0);
  const zone = (sign === "-" ? -1 : 1) * (Number(zoneHours) * 60 + Number(zoneMinutes));
  return new Date(
    Date.UTC(Number(year), month, Number(day), hours, Number(minute)) - zone * MINUTE_MS,
  ).toISOString();
}

const EDIT_TOOLS: readonly string[] = ["Write", "StrReplace", "Delete", "EditNotebook"];
const FILE_TOOLS: readonly string[] = ["Read", ...EDIT_TOOLS];
const PATCH = "ApplyPatch";
const CHILD_AGENT = "Task";

export function targetOf({ tool, input }: ToolCall): ToolTarget {
  const patched = tool === PATCH ? patchedFiles(textOf(input.patch)) : [];
  const named = FILE_TOOLS.includes(tool)
    ? (textOf(input.path) ?? textOf(input.target_notebook))
    : undefined;
  const { path = named, otherPaths } = targetPaths(patched);
  return known({
    path,
    otherPaths,
    edits: patched.length > 0 || EDIT_TOOLS.includes(tool) || undefined,
    command: textOf(input.command),
    childTask: tool === CHILD_AGENT ? textOf(input.prompt) : undefined,
  });
}

export const meaningOf = (_: ToolCall, { text }: ToolAnswer): Meaning => ({ text });
