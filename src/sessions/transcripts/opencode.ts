/** Messages of opencode as our plugin hands them over, because opencode has its sessions in a database. Tested with version 1.18.33. */
import { jsonLinesIn } from "../../ground/files/read-files.ts";
import { fieldsOf, listOf, numberOf, textOf, textsOf } from "./fields.ts";
import { listedTasks, successOf } from "./meanings.ts";
import { callOf, replyOf, requestIn, summaryParts, unknownPart } from "./parts.ts";
import type { Fields, Outcome, Part, ToolAnswer, TranscriptReader } from "./transcript.ts";

/** Thoughts, and notes of the client about its own work. */
const NOT_SAID: readonly unknown[] = [
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
];
const ABORTED = "MessageAbortedError";
const TODO_LIST = "todowrite";

const REFUSED = /^(?:The user (?:rejected|dismissed)|Tool execution aborted)/;
/** The client's note after the output of a command that was stopped with the agent. */
const STOPPED = /<shell_metadata>\nUser aborted the command\n<\/shell_metadata>\s*$/;
const NOT_FOUND = /^(?:Error: )?(?:File not found|oldString not found|Could not find oldString)/;

/** Its files are in the spool of the session log, until a capture has read them. */
export const opencodeReader: TranscriptReader = {
  agent: "opencode",
  name: "opencode",
  revision: 3,
  find: (folder) => jsonLinesIn(folder),
  isLine: ({ session, id }) => Boolean(session && id),
  read(fields) {
    const session = textOf(fields.session);
    const parent = textOf(fields.parent);
    const created = numberOf(fields.created);
    const line = {
      id: textOf(fields.id),
      ts: created === undefined ? undefined : new Date(created).toISOString(),
      session: parent ?? session,
      cwd: textOf(fields.cwd),
      branch: textOf(fields.branch),
      version: textOf(fields.version),
      childAgent: parent === undefined ? undefined : session,
    };
    return { parts: partsIn(fields), line, isConversation: "role" in fields };
  },
  taskTools: [TODO_LIST],
  meaningOf({ tool, input }, answer) {
    const { text, details } = answer;
    const outcome = outcomeOf(answer);
    if (outcome) {
      return { text, outcome };
    }
    if (tool === TODO_LIST) {
      return { text, tasks: listedTasks(input.todos, "content") };
    }
    return successOf(input, text, details.childAgent);
  },
};

function partsIn(fields: Fields): readonly Part[] {
  const parts = listOf(fields.parts).map(fieldsOf);
  if (fields.role === undefined) {
    return [{ kind: "opening" }];
  }
  if (fields.role === "user") {
    return requestIn(typedIn(parts));
  }
  if (fields.role !== "assistant") {
    return [unknownPart(String(fields.role))];
  }
  const said = fields.isSummary === true ? summaryIn(parts) : parts.flatMap(partsOfAnswer);
  return fields.error === ABORTED ? [...said, { kind: "interruption" }] : said;
}

function typedIn(parts: readonly Fields[]): string[] {
  const typed = parts.filter(({ synthetic }) => synthetic !== true);
  return textsOf(typed, "text");
}

function summaryIn(parts: readonly Fields[]): readonly Part[] {
  return summaryParts(textsOf(parts, "text").join("\n"));
}

function partsOfAnswer(part: Fields): readonly Part[] {
  const { type, status } = part;
  if (type === "text") {
    return replyOf(part.text);
  }
  const asked = type === "tool" ? callOf(part.callID, part.tool, part.input) : undefined;
  if (!asked) {
    return NOT_SAID.includes(type) ? [] : [unknownPart(`assistant/${type}`)];
  }
  if (status !== "completed" && status !== "error") {
    return [asked];
  }
  const text = textOf(part.output) ?? textOf(part.error) ?? "";
  const details = { exit: part.exit, childAgent: part.childAgent };
  const isError = status === "error";
  return [asked, { kind: "answer", call: asked.call, text, isError, images: [], details }];
}

function outcomeOf({ isError, text, details }: ToolAnswer): Outcome | undefined {
  if (isError) {
    if (REFUSED.test(text)) {
      return "refused_by_user";
    }
    return NOT_FOUND.test(text) ? "not_found" : "failed";
  }
  if (STOPPED.test(text)) {
    return "refused_by_user";
  }
  const exit = numberOf(details.exit);
  return exit === undefined || exit === 0 ? undefined : "failed";
}

/** Redacts the texts of a value. `message` is for text of the user or an agent, `tool` for everything else. */
export type RedactFields = (value: Fields, speech: "message" | "tool") => Fields;

/** Whether a message may be recorded. @param at its time in ms since 1970. */
type MayKeep = (at: number, session: string) => boolean;

/** The redacted lines for a spool. Ids, names and times aren't redacted. @param sent the plugin's `{session, messages}`, and the branch. */
export function spoolLines(sent: Fields, redact: RedactFields, mayKeep: MayKeep): string[] {
  const session = fieldsOf(sent.session);
  const id = textOf(session.id);
  const created = numberOf(fieldsOf(session.time).created);
  if (id === undefined || created === undefined) {
    return [];
  }
  const shared = {
    session: plainId(id),
    parent: plainId(session.parentID),
    cwd: textOf(session.directory),
    branch: textOf(sent.branch),
    version: textOf(session.version),
  };
  const whose = plainId(session.parentID) ?? plainId(id) ?? id;
  const messages = listOf(sent.messages)
    .map((message) => messageOf(fieldsOf(message), redact))
    .filter(({ created: at }) => typeof at === "number" && mayKeep(at, whose));
  if (messages.length === 0) {
    return [];
  }
  return [{ id, created, cwd: undefined }, ...messages].map((line) =>
    JSON.stringify({ ...shared, ...line, cwd: line.cwd ?? shared.cwd }),
  );
}

/** Adds a hyphen between the time and the random part of a session's id, which otherwise looks like a secret. */
const plainId = (id: unknown): string | undefined =>
  textOf(id)?.replace(/^(ses_[0-9a-f]{12})(?=\w)/, "$1-");

/** The fields that a line keeps. JSON drops those that are undefined. */
function messageOf({ info, parts }: Fields, redact: RedactFields): Fields {
  const { id, role, time, path, summary, error } = fieldsOf(info);
  return {
    id: textOf(id),
    role: textOf(role),
    created: numberOf(fieldsOf(time).created),
    cwd: textOf(fieldsOf(path).cwd),
    isSummary: summary === true || undefined,
    error: textOf(fieldsOf(error).name),
    parts: listOf(parts).map((part) => partOf(fieldsOf(part), redact)),
  };
}

function partOf(
  { type, text, synthetic, callID, tool, state }: Fields,
  redact: RedactFields,
): Fields {
  const { status, input, output, error, metadata } = fieldsOf(state);
  const { exit, sessionId } = fieldsOf(metadata);
  return {
    type: textOf(type),
    callID: textOf(callID),
    tool: textOf(tool),
    status: textOf(status),
    synthetic: synthetic === true || undefined,
    exit: numberOf(exit),
    childAgent: plainId(sessionId),
    ...redact({ text: type === "text" ? textOf(text) : undefined }, "message"),
    ...redact({ input, output: textOf(output), error: textOf(error) }, "tool"),
  };
}
