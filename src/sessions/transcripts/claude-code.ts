/** Reads the transcripts of Claude Code: JSON with a message of the Messages API or of the session. Tested with versions 2.1.39 to 2.1.45, and 2.1.197. */
import { stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { present } from "../../ground/core/text.ts";
import { comparablePath } from "../../ground/files/paths.ts";
import { jsonLinesIn, namesIn } from "../../ground/files/read-files.ts";
import { meaningOf, noticesIn, TASK_TOOLS } from "./claude-code-tools.ts";
import { fieldsOf, partsOf, textOf, textsIn, textsOf } from "./fields.ts";
import { claudeCodeName } from "./folder-names.ts";
import {
  callOf,
  isOnlyElements,
  noteOfImage,
  replyOf,
  requestOf,
  requestsOf,
  unknownPart,
  voiceOfText,
  withoutInjected,
  withoutInjectedEnd,
} from "./parts.ts";
import type { Fields, ImageNote, Part, TranscriptReader, Voice } from "./transcript.ts";

/** For `find`: sessions of any folder. */
export const ANYWHERE = "/";

/** Longer names are cut and end in a hash. */
const LONGEST_NAME = 200;
/** The progress of a workflow, next to the transcripts of its agents. */
const WORKFLOW_JOURNAL = "journal.jsonl";
const CHILD_AGENT = /(?:^|[/\\])agent-[^/\\]+\.jsonl$/;

/** Lines about the client's own work that are between those of the conversation. */
const OWN_WORK = ["progress", "system"];
const TITLES = ["custom-title", "ai-title"];
const QUEUE = {
  enqueue: "added",
  dequeue: "taken",
  remove: "delivered",
  popAll: "emptied",
} as const;

const INTERRUPTED = /^\[Request interrupted by user[^\]\n]*\]\s*$/;
const COMMAND = /^\s*<command-(?:name|message)>[\s\S]*<\/command-(?:name|message|args)>\s*$/;
const SHELL = /^\s*<bash-input>([\s\S]*?)<\/bash-input>\s*$/;
/** From the first tag to the last one, because the output of a command may contain these tags too. */
const LOCAL_OUTPUT =
  /^\s*<(local-command-\w+|bash-stdout|bash-stderr)>[\s\S]*<\/(?:local-command-\w+|bash-stdout|bash-stderr)>\s*$/;
/** The client's text around the agent's summary. */
const BEFORE_SUMMARY = /^This session is being continued[^\n]*\n+(?:Summary:\n+)?/;
const AFTER_SUMMARY = /\n+If you need specific details from before compaction[\s\S]*$/;
/** Blocks that are read or noted. */
const KNOWN_BLOCKS: readonly unknown[] = [
  "text",
  "image",
  "document",
  "tool_reference",
  "tool_result",
];
const PERSISTED = "<persisted-output>";

/** It has a folder of transcripts for each folder in which it was started, named after that. */
export const claudeCodeReader: TranscriptReader = {
  agent: "claude-code",
  name: "Claude Code",
  revision: 3,
  /** Includes folders around these, because a hyphen in a name may replace any character. The oldest comes first, child agents come last. */
  async find(clientFolder, folders) {
    const root = join(clientFolder, "projects");
    const names = (await namesIn(root)).filter((name) =>
      folders.some((folder) => mayBeNamedAfter(folder, name)),
    );
    const found = await Promise.all(names.map((name) => jsonLinesIn(join(root, name))));
    const transcripts = found.flat().filter((path) => basename(path) !== WORKFLOW_JOURNAL);
    const paths = await oldestFirst(transcripts);
    return paths.sort((a, b) => Number(CHILD_AGENT.test(a)) - Number(CHILD_AGENT.test(b)));
  },
  markOf: (folder) => `"cwd":${JSON.stringify(folder).slice(0, -1)}`,
  /** A fork is in the folder of the session that it was copied from. */
  transcriptBeside: (path, session) => join(dirname(path), `${session}.jsonl`),
  isLine: (fields) =>
    typeof fields.type === "string" && ("sessionId" in fields || "messageId" in fields),
  read(fields) {
    const origin = fieldsOf(fields.forkedFrom);
    const line = {
      // Some forks give copied lines new ids.
      id: textOf(origin.messageUuid) ?? textOf(fields.uuid),
      copiedFrom: textOf(origin.sessionId),
      ts: textOf(fields.timestamp),
      session: textOf(fields.sessionId),
      cwd: textOf(fields.cwd),
      branch: textOf(fields.gitBranch),
      version: textOf(fields.version),
      childAgent: textOf(fields.agentId),
    };
    return { parts: partsIn(fields), line, isConversation: "message" in fields };
  },
  taskTools: TASK_TOOLS,
  meaningOf,
};

/** Whether a folder of transcripts may belong to a folder, one below it or one around it. @internal */
export function mayBeNamedAfter(
  folder: string,
  name: string,
  platform = process.platform,
): boolean {
  if (folder === ANYWHERE) {
    return true;
  }
  const asName = (path: string) =>
    comparablePath(claudeCodeName(path).slice(0, LONGEST_NAME), platform);
  const wanted = asName(folder);
  const start = asName(name);
  return start.startsWith(wanted) || wanted.startsWith(start);
}

/** A session that continues another one repeats its lines. They belong to the older one. */
async function oldestFirst(paths: readonly string[]): Promise<string[]> {
  const born = paths.map(async (path) => ({
    path,
    at: (await stat(path).catch(() => undefined))?.birthtimeMs,
  }));
  const late = Number.MAX_VALUE;
  return (await Promise.all(born))
    .sort((a, b) => (a.at ?? late) - (b.at ?? late))
    .map(({ path }) => path);
}

/** Empty for lines about the client's own work. */
function partsIn(fields: Fields): readonly Part[] {
  const type = textOf(fields.type) ?? "untyped";
  if (type === "user") {
    return userLine(fields);
  }
  if (type === "assistant") {
    return assistantLine(fields);
  }
  if (type === "queue-operation") {
    return queueLine(fields);
  }
  if (type === "system" && fields.subtype === "compact_boundary") {
    return [{ kind: "compaction" }];
  }
  if (type === "attachment") {
    return attachmentLine(fields);
  }
  const title = textOf(fields.customTitle) ?? textOf(fields.aiTitle) ?? textOf(fields.title);
  if (TITLES.includes(type) && title !== undefined) {
    return [{ kind: "title", text: title }];
  }
  const isSaid = "message" in fields || ("parentUuid" in fields && !OWN_WORK.includes(type));
  return isSaid ? [unknownPart(type)] : [];
}

function queueLine(fields: Fields): readonly Part[] {
  const { operation, content } = fields;
  const change = QUEUE[operation as keyof typeof QUEUE];
  if (!change) {
    return [unknownPart(`queue-operation/${operation}`)];
  }
  const { finished, text } = queuedIn(textOf(content) ?? "", fields);
  const queued = { kind: "queue", change, text, voice: voiceOfLine(fields, text) } as const;
  return change === "added" ? [queued, ...finished] : [queued];
}

/** A request that was delivered while the agent worked. All other attachments come from the client. */
function attachmentLine(line: Fields): readonly Part[] {
  const { origin, promptSource } = line;
  const attachment: Fields = { origin, promptSource, ...fieldsOf(line.attachment) };
  const { type, prompt, commandMode, isMeta } = attachment;
  if (type !== "queued_command") {
    return [];
  }
  const { finished, text } = queuedIn(textsOf(partsOf(prompt)).join("\n"), attachment);
  const isPrompt = (commandMode === undefined || commandMode === "prompt") && isMeta !== true;
  if (!isPrompt || (finished.length > 0 && text === "")) {
    return finished;
  }
  const voice = voiceOfLine(attachment, text);
  return [...finished, { kind: "queue", change: "delivered", text, voice }];
}

/** Reports of background tasks go through the same queue. */
function queuedIn(content: string, fields: Fields) {
  if (namedVoice(fields) === "user") {
    return { finished: [], text: content };
  }
  const { finished = [], rest = content } = noticesIn(content) ?? {};
  const said = withoutInjected(rest);
  const isReport = said.startsWith('{"task_id"') || LOCAL_OUTPUT.test(said);
  return { finished, text: isReport ? "" : said };
}

function userLine(fields: Fields): readonly Part[] {
  if (fields.isMeta === true) {
    return [];
  }
  const blocks = partsOf(fieldsOf(fields.message).content);
  if (fields.isCompactSummary === true) {
    const text = textsOf(blocks).join("\n").replace(BEFORE_SUMMARY, "").replace(AFTER_SUMMARY, "");
    return [{ kind: "summary", text }];
  }
  if (blocks.length === 0) {
    return [unknownPart("user")];
  }
  const answers = blocks.filter(({ type }) => type === "tool_result");
  const details = answers.length === 1 ? fieldsOf(fields.toolUseResult) : {};
  const parts = answers.flatMap((block) => answerIn(block, details));
  return [...parts, ...requestIn(blocks, fields), ...unknownBlocks(blocks, "user")];
}

/** @param fields of the line. */
function requestIn(blocks: readonly Fields[], fields: Fields): readonly Part[] {
  const partsOfText = namedVoice(fields) === "user" ? typedParts : partsOfUnnamed;
  const said = textsOf(blocks, "text").flatMap(partsOfText);
  const texts = said
    .filter((part) => part.kind === "request")
    .map(({ text }) => ({ text, voice: voiceOfLine(fields, text) }));
  return [
    ...requestsOf(texts, present(...blocks.map(imageIn))),
    ...said.filter(({ kind }) => kind !== "request"),
  ];
}

/** The parts of a text that the user typed, quotations included. */
function typedParts(text: string): readonly Part[] {
  if (INTERRUPTED.test(text)) {
    return [{ kind: "interruption" }];
  }
  return withoutInjected(text).trim() === "" ? [] : [typedRequest(text)];
}

function partsOfUnnamed(text: string): readonly Part[] {
  const notices = noticesIn(text);
  if (notices) {
    return [...notices.finished, ...partsOfUnnamed(notices.rest)];
  }
  const said = withoutInjected(text);
  return LOCAL_OUTPUT.test(said) ? [] : typedParts(said);
}

function typedRequest(typed: string): Part {
  const shell = SHELL.exec(typed)?.[1];
  if (shell !== undefined) {
    return requestOf(`! ${shell}`);
  }
  return requestOf(COMMAND.test(typed) ? commandIn(typed) : typed);
}

/** "/plan the words behind it". */
function commandIn(text: string): string {
  const inside = (tag: string): string =>
    new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(text)?.[1]?.trim() ?? "";
  const name = inside("command-name") || inside("command-message");
  return `${name.startsWith("/") ? "" : "/"}${name} ${inside("command-args")}`.trim();
}

function answerIn({ tool_use_id, content, is_error }: Fields, details: Fields): readonly Part[] {
  const call = textOf(tool_use_id);
  if (call === undefined) {
    return [unknownPart("user/tool_result")];
  }
  const blocks = partsOf(content);
  const said = textsIn(blocks.map(textInAnswer)).join("\n");
  // The client shows the agent only the beginning of a long output. The line has more of it.
  const isCut = said.startsWith(PERSISTED);
  const whole = isCut ? textsIn([details.stdout, details.stderr]).join("\n") : "";
  const text = withoutInjectedEnd(whole.length > said.length ? whole : said);
  const images = present(...blocks.map(imageIn));
  const isError = is_error === true;
  const answer: Part = { kind: "answer", call, text, isError, images, details };
  return [answer, ...unknownBlocks(blocks, "answer")];
}

function assistantLine(fields: Fields): readonly Part[] {
  const { content, model } = fieldsOf(fields.message);
  // The client wrote this in the agent's name, such as after a network error.
  if (model === "<synthetic>") {
    return [];
  }
  const blocks = partsOf(content);
  return blocks.length === 0 ? [unknownPart("assistant")] : blocks.flatMap(partsOfAnswer);
}

function partsOfAnswer({ type, text, id, name, input }: Fields): readonly Part[] {
  if (type === "text") {
    return replyOf(text);
  }
  if (type === "thinking" || type === "redacted_thinking") {
    return [];
  }
  const call = type === "tool_use" ? callOf(id, name, input) : undefined;
  return [call ?? unknownPart(`assistant/${type}`)];
}

function unknownBlocks(blocks: readonly Fields[], where: string): Part[] {
  const others = blocks.filter(({ type }) => !KNOWN_BLOCKS.includes(type));
  return others.map(({ type }) => unknownPart(`${where}/${type}`));
}

/** A search of tools answers with references to them. */
function textInAnswer({ type, text, tool_name }: Fields): string | undefined {
  return type === "tool_reference" ? `Tool: ${tool_name}` : textOf(text);
}

/** A note of an image or of a document, such as a text or a PDF. */
function imageIn({ type, source }: Fields): ImageNote | undefined {
  if (type !== "image" && type !== "document") {
    return undefined;
  }
  const { media_type, data, type: encoding } = fieldsOf(source);
  const content = textOf(data) ?? "";
  const base64 = encoding === "text" ? Buffer.from(content).toString("base64") : content;
  return noteOfImage(textOf(media_type), base64);
}

const ORIGINS: ReadonlyMap<string, Voice> = new Map(
  Object.entries({
    human: "user",
    peer: "peer",
    channel: "peer",
    coordinator: "peer",
    observer: "peer",
    "observer-activity": "client",
    "task-notification": "client",
    "auto-continuation": "client",
  } as const),
);
/** Programs that use the client's library send prompts too, as `sdk`. Queued prompts may come from any source. */
const PROMPT_SOURCES: ReadonlyMap<string, Voice> = new Map(
  Object.entries({ typed: "user", queued: "user", sdk: "user", system: "client" } as const),
);

const OF_PEER =
  /^\s*(?:(?:Another Claude|A peer) session sent a message[^\n]*:\s*\n|The coordinator sent a message while you were working:\s*\n|<(?:teammate-message|cross-session-message|agent-message|slack-tag-message)[\s>]|<channel\s+source=)/;
const OF_CLIENT = /^(?:scheduled-task|tick|[\w-]+-hook)$/;
/** The output of a hook, which begins with the name of its event. A user would write `my` hook or `the` hook. */
const OF_HOOK =
  /^\s*(?!(?:An?|My|Our|The|This|That|Your)\s)[A-Z]\w*(?::\S+)? hook (?:feedback|(?:non-)?blocking error)(?: (?:from|for|in|\()[^\n:]*)?:/;

/** @param fields of the line or of its attachment. @param text one of its texts. */
function voiceOfLine(fields: Fields, text: string): Voice {
  const named = namedVoice(fields);
  if (named !== undefined) {
    return named;
  }
  if (OF_PEER.test(text)) {
    return "peer";
  }
  if (OF_HOOK.test(text) || isOnlyElements(text, (name) => OF_CLIENT.test(name))) {
    return "client";
  }
  return textOf(fields.promptSource) === undefined ? voiceOfText(text) : "user";
}

/** The voice that the client gives. Undefined for prompts of programs and of the queue, which may come from any source. */
function namedVoice({ origin, promptSource }: Fields): Voice | undefined {
  const source = textOf(promptSource);
  const bySource = source === undefined ? undefined : (PROMPT_SOURCES.get(source) ?? "unknown");
  const byOrigin = voiceOfOrigin(origin);
  const named = [byOrigin, bySource].find((voice) => voice !== undefined && voice !== "user");
  if (named !== undefined) {
    return named;
  }
  return byOrigin === "user" || source === "typed" ? "user" : undefined;
}

function voiceOfOrigin(origin: unknown): Voice | undefined {
  if (origin === undefined || origin === null) {
    return undefined;
  }
  const kind = textOf(fieldsOf(origin).kind) ?? textOf(origin) ?? "";
  return ORIGINS.get(kind) ?? "unknown";
}
