/** Reads the transcripts of Cursor, JSON messages without ids, answers and most times. Thinking that the client shows looks like a reply of the agent. */
import { hash } from "node:crypto";
import { stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { jsonLinesIn, namesIn } from "../../ground/files/read-files.ts";
import { fieldsOf, partsOf, textOf, textsOf } from "./fields.ts";
import { cursorName, isNamedAfter, isOnlyFolderNamed } from "./folder-names.ts";
import { callOf, replyOf, requestOf, unknownPart, withoutInjected } from "./parts.ts";
import type { Fields, Part, TranscriptReader } from "./transcript.ts";

const PROJECTS = "projects";
const TRANSCRIPTS = "agent-transcripts";
/** A child agent's transcript is in a folder of this name, and has no times. */
const CHILD_AGENTS = "subagents";

/** A time as the client writes it for its model: "Tuesday, Jul 21, 2026, 1:11 PM (UTC+3)". */
const TIME_IN_WORDS = /^\s*\w+,\s+(.+?)\s*\((UTC[^)]*)\)\s*$/;
const TIME = /^\s*<timestamp>([^<]{0,80})<\/timestamp>\s*/;
const QUERY = /<user_query>\s*([\s\S]*)<\/user_query>/;
/** The client's additions for the model begin with a tag. */
const ADDED = /^\s*<[a-z_]+>/;
/** The remains of thinking. */
const REDACTED = /^[ \t]*\[REDACTED\][ \t]*$/gm;
const TURN_END = "turn_ended";
const STOPPED = /abort|cancel/i;

/** Its folders of transcripts are named after the opened project folder. The name is used only if it fits no other folder. */
export const cursorReader: TranscriptReader = {
  agent: "cursor",
  name: "Cursor",
  revision: 1,
  namesNoLines: true,
  async find(clientFolder, folders) {
    const projects = join(clientFolder, PROJECTS);
    const names = (await namesIn(projects)).filter((name) =>
      folders.some((folder) => isNamedAfter(name, folder, cursorName)),
    );
    const found = names.map((name) => jsonLinesIn(join(projects, name, TRANSCRIPTS)));
    return (await Promise.all(found))
      .flat()
      .filter((path) => basename(dirname(path)) !== CHILD_AGENTS);
  },
  /** The session, its folder if that is certain, and the time of the file's last change, which is the latest time of its lines. */
  async frameOf(path, folders, told) {
    const session = basename(path, ".jsonl");
    const { folder, began } = told[session] ?? {};
    const cwd = folder ?? (await folderByName(nameIn(path), folders));
    const changed = await stat(path).catch(() => undefined);
    return { session, cwd, ts: began, until: changed?.mtime.toISOString() };
  },
  read(fields, text) {
    const { content } = fieldsOf(fields.message);
    const isUser = fields.role === "user";
    const { time, parts } = isUser ? timeOf(partsOf(content)) : { parts: partsOf(content) };
    const ts = time === undefined ? undefined : timeInWords(time);
    const read = [...partsIn(fields, parts)];
    if (time !== undefined && ts === undefined) {
      read.push(unknownPart("user/timestamp"));
    }
    return {
      parts: read,
      // A later reading looks up the beginning of the turn, because only that has a time.
      line: { id: hash("sha256", text).slice(0, 16), ts, turn: ts },
      isConversation: "role" in fields,
    };
  },
  meaningOf: (_call, { text }) => ({ text }),
};

async function folderByName(name: string, folders: readonly string[]): Promise<string | undefined> {
  const opened = folders.find((folder) => isNamedAfter(name, folder, cursorName));
  if (opened === undefined) {
    return undefined;
  }
  return (await isOnlyFolderNamed(opened, cursorName)) ? opened : undefined;
}

/** The folder of a transcript that is named after the one that was opened. The transcript may be in a subfolder of it. */
function nameIn(path: string): string {
  let folder = dirname(path);
  while (basename(folder) !== TRANSCRIPTS && folder !== dirname(folder)) {
    folder = dirname(folder);
  }
  return basename(dirname(folder));
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
  if (!found) {
    return { parts };
  }
  const rest = { ...first, text: said.slice(found[0].length) };
  return { time: found[1], parts: [rest, ...others] };
}

function partsIn({ role, type, ...fields }: Fields, parts: readonly Fields[]): readonly Part[] {
  if (type === TURN_END) {
    return endOf(fields);
  }
  if (role === "user") {
    return userMessage(parts);
  }
  if (role === "assistant") {
    return parts.flatMap(partsOfAnswer);
  }
  if (role === undefined) {
    return [];
  }
  return [unknownPart(String(role))];
}

function userMessage(parts: readonly Fields[]): readonly Part[] {
  const others = parts
    .filter(({ type }) => type !== "text")
    .map(({ type }) => unknownPart(`user/${type ?? "untyped"}`));
  const typed = textsOf(parts, "text").flatMap(
    (text) => QUERY.exec(text)?.[1] ?? (ADDED.test(text) ? [] : text),
  );
  const text = withoutInjected(typed.join("\n")).trim();
  return text === "" ? others : [requestOf(text), ...others];
}

function partsOfAnswer(
  { type, text, name, input, ...fields }: Fields,
  index: number,
): readonly Part[] {
  if (type === "text") {
    return replyOf(textOf(text)?.replace(REDACTED, ""));
  }
  if (type === "thinking") {
    return [];
  }
  if (type === TURN_END) {
    return endOf(fields);
  }
  const given = typeof input === "string" ? { patch: input } : input;
  // A call has no id, so its place in the line is one.
  const call = type === "tool_use" ? callOf(String(index), name, given) : undefined;
  return [call ?? unknownPart(`assistant/${type ?? "untyped"}`)];
}

function endOf({ status, error }: Fields): readonly Part[] {
  const isStopped = status === "aborted" || STOPPED.test(textOf(error) ?? "");
  return isStopped ? [{ kind: "interruption" }] : [];
}

/** The beginning of that minute, ISO 8601. Undefined for any other text, and for a time without a zone. @internal */
export function timeInWords(text: string): string | undefined {
  const [, time = "", zone = ""] = TIME_IN_WORDS.exec(text) ?? [];
  // A narrow space may be before AM or PM.
  const at = Date.parse(`${time.replace(/\s+/g, " ")} ${zone}`);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}
