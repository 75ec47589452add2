import { fieldsOf, known, listOf, numberOf, textOf } from "./fields.ts";
import { withoutInjected } from "./injected.ts";
import { readJsonLine } from "./json-lines.ts";
import { isNothing, joinSaid, leaveOut, type SaidIn } from "./said.ts";
import type { Fields, LineReading } from "./transcript.ts";

/** Parts that are thoughts, and what the client notes about its own work. */
const NOT_SAID: ReadonlySet<unknown> = new Set([
  "agent",
  "compaction",
  "file",
  "patch",
  "reasoning",
  "retry",
  "snapshot",
  "step-finish",
  "step-start",
  "subtask",
]);
const ABORTED = "MessageAbortedError";

export function readOpencodeLine(text: string): readonly LineReading[] {
  return readJsonLine(text, ({ session, id }) => Boolean(session && id), readingOf);
}

function readingOf(fields: Fields): LineReading {
  const { says, leftOut, unknown } = saidIn(fields);
  const [session, parent] = [textOf(fields.session), textOf(fields.parent)];
  const created = numberOf(fields.created);
  const version = textOf(fields.version);
  const line = {
    id: textOf(fields.id) ?? "",
    ...known({
      ts: created === undefined ? undefined : new Date(created).toISOString(),
      session: parent ?? session,
      cwd: textOf(fields.cwd),
      version,
      childAgent: parent === undefined ? undefined : session,
    }),
    says,
  };
  const reading = { leftOut, unknown, isConversation: "role" in fields, ...known({ version }) };
  return says.length === 0 ? reading : { line, ...reading };
}

function saidIn(fields: Fields): Required<SaidIn> {
  const parts = listOf(fields.parts).map(fieldsOf);
  if (fields.role === undefined) return joinSaid([{ says: [{ kind: "opening" }] }]);
  if (fields.role === "user") return joinSaid([requestIn(parts)]);
  if (fields.role !== "assistant") return joinSaid([{ says: [], unknown: [String(fields.role)] }]);
  const stop: SaidIn = fields.error === ABORTED ? { says: [{ kind: "interruption" }] } : { says: [] };
  if (fields.isSummary === true) return joinSaid([summaryIn(parts), stop]);
  const said = joinSaid([...parts.map(partIn), stop]);
  return isNothing(said) ? joinSaid([leaveOut("assistant", "blank")]) : said;
}

function requestIn(parts: readonly Fields[]): SaidIn {
  const texts = parts.flatMap(({ type, text, synthetic }) =>
    type === "text" && synthetic !== true ? (textOf(text) ?? []) : [],
  );
  const text = texts.map(withoutInjected).join("\n");
  return text.trim() === "" ? leaveOut("user", "injected") : { says: [{ kind: "request", text, images: [] }] };
}

function summaryIn(parts: readonly Fields[]): SaidIn {
  const text = parts.flatMap(({ type, text }) => (type === "text" ? (textOf(text) ?? []) : [])).join("\n");
  return { says: [{ kind: "compaction" }, { kind: "summary", text }] };
}

function partIn(part: Fields): SaidIn {
  const { type, text, callID, tool, status } = part;
  if (type === "text") {
    const reply = (textOf(text) ?? "").trim();
    return reply === "" ? leaveOut("assistant", "blank") : { says: [{ kind: "reply", text: reply }] };
  }
  const [call, name] = [textOf(callID), textOf(tool)];
  if (type !== "tool" || call === undefined || name === undefined)
    return NOT_SAID.has(type) ? leaveOut("assistant", type) : { says: [], unknown: [`assistant/${type}`] };
  const asked = { kind: "call", call, tool: name, input: fieldsOf(part.input) } as const;
  if (status !== "completed" && status !== "error") return { says: [asked] };
  const output = textOf(part.output) ?? textOf(part.error) ?? "";
  const details = { exit: part.exit, childAgent: part.childAgent };
  const isError = status === "error";
  return { says: [asked, { kind: "answer", call, text: output, isError, images: [], details }] };
}
