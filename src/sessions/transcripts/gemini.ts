/** Reads the chats of Gemini CLI. A line is a message or a change. A message is repeated with its id when more of it is known. Tested with version 0.61.0. */
import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { comparablePath } from "../../ground/files/paths.ts";
import { jsonLinesIn, namesIn } from "../../ground/files/read-files.ts";
import { fieldsOf, jsonIn, listOf, partsOf, textOf, textsIn, textsOf } from "./fields.ts";
import { acceptedPlan, choicesOf, listedTasks, successOf } from "./meanings.ts";
import { callOf, noteOfImage, replyOf, requestIn, summaryParts, unknownPart } from "./parts.ts";
import type {
  Choice,
  Fields,
  ImageNote,
  Meaning,
  Outcome,
  Part,
  ReadObject,
  ToolAnswer,
  ToolCall,
  TranscriptReader,
} from "./transcript.ts";

const CHATS = "chats";
/** The file with the path of the folder in which the client was started. */
const OWNER = ".project_root";

/** Messages of the client itself. */
const OWN: readonly unknown[] = ["info", "warning", "error"];
/** The client's note when the user stops it, before its last work. A `gemini -p` that is killed notes nothing. */
const CANCELLED = "Request cancelled.";
const INJECTED = /^\s*<(?:session_context|hook_context|user_memory|system_note)>/;
/** The contents of the user's files follow. */
const FILES = /^--- Content from referenced files ---[ \t]*$/m;
/** The agent may think before it sums up. */
const SNAPSHOT =
  /^\s*(?:<scratchpad>[\s\S]*?<\/scratchpad>\s*)?<state_snapshot>([\s\S]*)<\/state_snapshot>/;

const TODO_LIST = "write_todos";
const QUESTION = "ask_user";
const PLAN = "exit_plan_mode";

/** The client's words for the outcome of a call. */
const REFUSED =
  /^(?:\[Operation Cancelled\]|User (?:denied|cancelled)|Command was cancelled by user|Plan rejected\.)/;
const REASON = /^Plan rejected\. User feedback: ([\s\S]*?)(?:\n\n|$)/;
const NOT_FOUND =
  /^(?:(?:File|Path|Directory) (?:not found|does not exist)|Failed to edit, 0 occurrences|Tool "[^"]*" not found)/i;

/** The output of a shell is between marks of the client, followed by its exit code. */
const SHELL_OUTPUT =
  /<untrusted_context>\nOutput: ([\s\S]*?)\n?((?:\n(?:Error|Exit Code|Signal|Background PIDs|Process Group PGID): .*)*)\n<\/untrusted_context>\s*$/;
const EXIT_CODE = /^Exit Code: (\d+)$/m;
const ENDED_BADLY = /^(?:Error|Signal): (?!\(none\))/m;

/** It has a folder for each folder in which it was started, and the lines don't contain that folder. */
export const geminiReader: TranscriptReader = {
  agent: "gemini",
  name: "Gemini CLI",
  revision: 3,
  /** Child agents come last. */
  async find(clientFolder, folders) {
    const root = join(clientFolder, "tmp");
    // On Windows, the client writes that path in lower case.
    const wanted = folders.map((folder) => comparablePath(folder));
    const paths: string[] = [];
    for (const name of await namesIn(root)) {
      const owner = await ownerOf(join(root, name), folders);
      if (owner === undefined) {
        continue;
      }
      const comparable = comparablePath(owner);
      if (!wanted.some((folder) => comparable.startsWith(folder))) {
        continue;
      }
      paths.push(...(await jsonLinesIn(join(root, name, CHATS))));
    }
    return paths.sort((a, b) => Number(Boolean(parentOf(a))) - Number(Boolean(parentOf(b))));
  },
  /** The folder in which a session was started, and the session of a child agent. */
  async frameOf(path, folders) {
    const session = parentOf(path);
    const chats = session === undefined ? dirname(path) : dirname(dirname(path));
    return { session, cwd: await ownerOf(dirname(chats), folders) };
  },
  isLine: (fields) =>
    "$set" in fields ||
    "$rewindTo" in fields ||
    ("timestamp" in fields && "type" in fields && "id" in fields),
  read(fields) {
    if (fields.sessionId !== undefined && fields.content === undefined) {
      return headerOf(fields);
    }
    if (fields.$set !== undefined) {
      return changeOf(fieldsOf(fields.$set));
    }
    // Messages that the user took back were still part of the conversation.
    return fields.$rewindTo === undefined ? messageOf(fields) : NO_MESSAGE;
  },
  taskTools: [TODO_LIST],
  meaningOf,
};

const NO_MESSAGE: ReadObject = { parts: [], line: {}, isConversation: false };

/** The chat of a child agent is in a folder with the id of its session. */
function parentOf(path: string): string | undefined {
  const folder = basename(dirname(path));
  return folder === CHATS ? undefined : folder;
}

/** The folder to which a folder of chats belongs. Earlier versions wrote no file, and named the folder after the hash of the path. */
export async function ownerOf(
  folder: string,
  folders: readonly string[],
): Promise<string | undefined> {
  const written = await readFile(join(folder, OWNER), "utf8").catch(() => undefined);
  const name = basename(folder);
  return written?.trim() || folders.find((one) => hash("sha256", one) === name);
}

/** A child agent's chat has its own id, and is in a folder with the session's id. */
function headerOf({ sessionId, kind, startTime }: Fields): ReadObject {
  const id = textOf(sessionId);
  const whose = kind === "subagent" ? { opens: { childAgent: id } } : { session: id, opens: {} };
  const line = { ...whose, ts: textOf(startTime) };
  return { parts: [], line, isConversation: false, isPlace: true };
}

/** A change may contain the whole conversation so far, including messages that have no line. A summary replaces the messages with its time, which were read already and have new ids. */
function changeOf({ messages }: Fields): ReadObject | readonly ReadObject[] {
  const all = listOf(messages).map(fieldsOf);
  const at = all.findIndex((message) => summaryIn(message) !== undefined);
  const snapshot = all[at];
  const others = snapshot
    ? all.slice(at).filter(({ timestamp }) => timestamp !== snapshot.timestamp)
    : all;
  const named = others.filter(({ id }) => textOf(id) !== undefined).map(messageOf);
  const repeated = named.map((message) => ({
    ...message,
    line: { ...message.line, isRepetition: true } as const,
  }));
  return [snapshot ? messageOf(snapshot) : NO_MESSAGE, ...repeated];
}

function messageOf(fields: Fields): ReadObject {
  const line = { id: textOf(fields.id), ts: textOf(fields.timestamp) };
  return { parts: partsIn(fields), line, isConversation: "content" in fields };
}

function partsIn(fields: Fields): readonly Part[] {
  const type = textOf(fields.type) ?? "untyped";
  if (type === "user") {
    return userMessage(fields);
  }
  if (type === "gemini") {
    return answerIn(fields);
  }
  if (type === "info" && textIn(fields.content) === CANCELLED) {
    return [{ kind: "interruption" }];
  }
  return OWN.includes(type) || !("content" in fields) ? [] : [unknownPart(type)];
}

/** The agent's summary, which the client writes as a message of the user, but without the field for the screen. */
function summaryIn({ type, content, displayContent }: Fields): string | undefined {
  if (type !== "user" || displayContent !== undefined) {
    return undefined;
  }
  return SNAPSHOT.exec(textIn(content))?.[1]?.trim();
}

function userMessage(fields: Fields): readonly Part[] {
  const summary = summaryIn(fields);
  if (summary !== undefined) {
    return summaryParts(summary);
  }
  const parts = partsOf(fields.content);
  if (parts.length === 0) {
    return [unknownPart("user")];
  }
  const shown = textsOf(partsOf(fields.displayContent ?? ""));
  const texts = shown.length > 0 ? shown : withoutFiles(textsOf(parts));
  const said = texts.filter((text) => !INJECTED.test(text));
  const images: ImageNote[] = [];
  for (const { inlineData } of parts) {
    const { mimeType, data } = fieldsOf(inlineData);
    if (typeof data === "string") {
      images.push(noteOfImage(textOf(mimeType), data));
    }
  }
  return requestIn(said, images);
}

/** The texts before the contents of files that the user mentioned. */
function withoutFiles(texts: readonly string[]): readonly string[] {
  const first = texts.findIndex((text) => FILES.test(text));
  if (first < 0) {
    return texts;
  }
  const before = (texts[first] ?? "").split(FILES, 1)[0] ?? "";
  return [...texts.slice(0, first), before];
}

function answerIn({ content, toolCalls }: Fields): readonly Part[] {
  return [...replyOf(textIn(content)), ...listOf(toolCalls).map(fieldsOf).flatMap(callIn)];
}

function callIn(fields: Fields): readonly Part[] {
  const asked = callOf(fields.id, fields.name, fields.args);
  if (!asked) {
    return [unknownPart("gemini/toolCall")];
  }
  const responses = listOf(fields.result).map((part) =>
    fieldsOf(fieldsOf(fieldsOf(part).functionResponse).response),
  );
  if (responses.length === 0 && fields.status !== "cancelled") {
    return [asked];
  }
  const texts = textsIn(responses.map(({ output, error }) => textOf(output) ?? error));
  const text = texts.join("\n");
  const isError = fields.status === "error" || fields.status === "cancelled";
  const details = { status: fields.status, agentId: fields.agentId };
  return [asked, { kind: "answer", call: asked.call, text, isError, images: [], details }];
}

const textIn = (content: unknown): string => textsOf(partsOf(content)).join("\n");

function meaningOf({ tool, input }: ToolCall, answer: ToolAnswer): Meaning {
  const [framed, printed, ending = ""] = SHELL_OUTPUT.exec(answer.text) ?? [];
  const before =
    framed === undefined ? "" : answer.text.slice(0, answer.text.length - framed.length);
  const text = printed === undefined ? answer.text : before + printed;
  const outcome = outcomeOf(answer, text, ending);
  if (outcome) {
    return { text, outcome, reason: REASON.exec(text)?.[1]?.trim() };
  }
  if (tool === TODO_LIST) {
    return { text, tasks: listedTasks(input.todos, "description") };
  }
  if (tool === QUESTION) {
    return { text, decisions: choicesIn(input, text) };
  }
  if (tool === PLAN && text.startsWith("Plan approved.")) {
    return { text, decisions: [acceptedPlan(textOf(input.plan_filename) ?? "unnamed")] };
  }
  return successOf(input, text, answer.details.agentId);
}

function outcomeOf(
  { isError, details }: ToolAnswer,
  text: string,
  ending: string,
): Outcome | undefined {
  if (details.status === "cancelled" || REFUSED.test(text)) {
    return "refused_by_user";
  }
  if (isError) {
    return NOT_FOUND.test(text) ? "not_found" : "failed";
  }
  const exit = EXIT_CODE.exec(ending)?.[1];
  return (exit !== undefined && exit !== "0") || ENDED_BADLY.test(ending) ? "failed" : undefined;
}

/** The answers are JSON, by the number of the question. */
function choicesIn({ questions }: Fields, text: string): Choice[] {
  const answers = fieldsOf(jsonIn(text).answers);
  return listOf(questions).flatMap((asked, index) => choicesOf(asked, answers[String(index)]));
}
