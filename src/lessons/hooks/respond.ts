/** What a hook answers to one event, and what it then knows about the conversation. Most events get no answer. */
import { createHash } from "node:crypto";
import type { HookEvent, HookProtocol } from "../../ground/clients/hook-event.ts";
import { type Budget, without } from "../../ground/core/budget.ts";
import { oneLine, plural } from "../../ground/core/text.ts";
import { localDay } from "../../ground/core/time.ts";
import { CONTEXT_FOLDER } from "../../ground/project/context-folder.ts";
import { unrecognisedLines } from "../answers/file-report.ts";
import type { FileReport } from "../format/file-lines.ts";
import type { Snapshot } from "../merge/snapshot.ts";
import type { LessonLine } from "../merge/versions.ts";
import { logTokens, type MemoryPolicy, memoryPolicyNotes } from "../policy.ts";
import { compactionDue } from "../queries/compaction.ts";
import { mostImportantFirst } from "../queries/importance.ts";
import { comingUp, workOn } from "../queries/matches-when.ts";
import { References } from "../queries/references.ts";
import { inject } from "./injection.ts";
import { SHOWN } from "./limits.ts";
import { wasAnswered, withAnswered, withEdited, withGiven, withGivenAtFile } from "./session-changes.ts";
import type { Session } from "./session-file.ts";

export interface Situation {
  readonly event: HookEvent;
  /** How the client that sent the event takes an answer. */
  readonly client: HookProtocol;
  /** The file that was read or edited, relative to the project; undefined for a file outside of it. */
  readonly file: string | undefined;
  /** Whether any lesson may say when it comes up; where none does, many events need no reading of the memory. */
  readonly anyWhen: () => boolean;
  readonly session: Session;
  /** Reads the memory; called only by events that need it. */
  readonly read: () => Promise<Snapshot>;
  readonly report: () => Promise<FileReport>;
  /** Reads what the project has decided about its memory; asked only by the start of a session. */
  readonly readPolicy: () => Promise<MemoryPolicy>;
  /** Whether the lesson's hook speaks at the same event, and takes its share of the tokens. */
  readonly logSpeaks: boolean;
  /** In ms since 1970. */
  readonly now: number;
  /** Whether the user wants a reminder at the end of a turn. */
  readonly remind: boolean;
}

export interface Response {
  readonly session: Session;
  /** The JSON to print, or nothing. */
  readonly output?: object;
}

const AT_PROMPT: Budget = { ...SHOWN, tokens: 600 };
/** Holds one lesson of any length. */
const AT_FILE: Budget = { ...SHOWN, tokens: 1_000 };
const MOST_AT_PROMPT = 5;
const MOST_AT_FILE = 2;
const MOST_FILES_NAMED = 5;

export async function respond(situation: Situation): Promise<Response> {
  const { event, now } = situation;
  const key = createHash("sha256")
    .update(`${event.kind} ${event.afterCompaction} ${event.prompt} ${event.file}`)
    .digest("hex")
    .slice(0, 12);
  // Only these could repeat text. A reminder comes once anyway, and a second edit or log of the same kind changes nothing.
  const isGiving = event.kind === "session-start" || event.kind === "prompt";
  if (isGiving && wasAnswered(situation.session, key, now)) return { session: situation.session };
  const session = withAnswered(situation.session, key, now);
  switch (event.kind) {
    case "session-start":
      return startSession({ ...situation, session });
    case "prompt":
      return answerPrompt({ ...situation, session });
    case "read":
      return giveForFile({ ...situation, session });
    case "edit":
      return giveForFile({
        ...situation,
        session: isWork(situation.file) ? { ...withEdited(session, situation.file), logged: false } : session,
      });
    case "log":
      return { session: { ...session, logged: true, edited: [] } };
    case "stop":
      return endTurn({ ...situation, session });
    case "compaction":
      // No client passes text of this event on to the model; the session start that follows does.
      return { session };
  }
}

async function startSession(situation: Situation): Promise<Response> {
  const { event, client, session, read, report, readPolicy, logSpeaks } = situation;
  const snapshot = await read();
  const policy = await readPolicy();
  const tokens = policy.values.session_tokens - (logSpeaks ? logTokens(policy.values) : 0);
  const all: Budget = { ...SHOWN, tokens };
  const notes = [
    ...unrecognisedLines(await report()),
    ...memoryPolicyNotes(policy),
    ...(event.afterCompaction && mayRemind(session) ? [AFTER_COMPACTION] : []),
  ];
  if (snapshot.count === 0 && notes.length === 0) return { session };
  const { text, shown } = inject(
    snapshot.count === 0 ? notes : ["What this project has already learnt, the most important first.", ...notes],
    [...snapshot.lessons()].sort(mostImportantFirst),
    new References(snapshot),
    without(all, [moreLessons(snapshot.count), COMPACTION_DUE].join("\n")),
  );
  const left = snapshot.count - shown.length;
  const after = [
    ...(left > 0 ? [moreLessons(left)] : []),
    ...(compactionDue(snapshot, policy.values.compact_threshold) ? [COMPACTION_DUE] : []),
  ];
  // A new context holds nothing that was given before.
  const given = withGiven({ ...session, given: [], givenAtFile: {} }, idsOf(shown));
  const output = client.addContext([text, ...after].join("\n"), event);
  return output ? { session: given, output } : { session };
}

async function answerPrompt({ event, client, anyWhen, session, read, now }: Situation): Promise<Response> {
  // Loaded for prompts alone: no other event needs the ranking.
  const { lessonsFor, mayMatch } = await import("../queries/prompt-lessons.ts");
  if (!mayMatch(event.prompt) && !anyWhen()) return { session };
  const snapshot = await read();
  const given = new Set(session.given);
  const lines = lessonsFor(snapshot, event.prompt, { today: localDay(now) })
    .filter((line) => !given.has(line.version.id))
    .slice(0, MOST_AT_PROMPT);
  if (lines.length === 0) return { session };
  const head = "Lessons of this project that match the prompt; search_memory has more.";
  const { text, shown } = inject([head], lines, new References(snapshot), AT_PROMPT);
  const output = shown.length > 0 ? client.addContext(text, event) : undefined;
  return output ? { session: withGiven(session, idsOf(shown)), output } : { session };
}

/** The lessons that say they come up with the file. */
async function giveForFile({ event, client, file, anyWhen, session, read, now }: Situation): Promise<Response> {
  const left = MOST_AT_FILE - (session.givenAtFile?.[file ?? ""] ?? 0);
  if (file === undefined || left <= 0 || !anyWhen()) return { session };
  const snapshot = await read();
  const given = new Set(session.given);
  const lines = comingUp(snapshot.lessons(), workOn({ files: [file], today: localDay(now) }))
    .filter((line) => !given.has(line.version.id))
    .sort(mostImportantFirst)
    .slice(0, left);
  const head = `Lessons of this project for work on ${plainName(file)}.`;
  const { text, shown } = inject([head], lines, new References(snapshot), AT_FILE);
  const output = shown.length > 0 ? client.addContext(text, event) : undefined;
  if (!output) return { session };
  return { session: withGivenAtFile(withGiven(session, idsOf(shown)), file, shown.length), output };
}

function endTurn({ event, client, session, remind }: Situation): Response {
  if (!remind || event.causedByHook || !mayRemind(session)) return { session };
  const named = session.edited.slice(0, MOST_FILES_NAMED).map(plainName).join(", ");
  const more = session.edited.length - MOST_FILES_NAMED;
  const reason = [
    `You changed ${named}${more > 0 ? ` and ${plural(more, "more file")}` : ""} and logged nothing.`,
    "If you had to find something out that the instructions did not say, call log_memory once for each such thing.",
    "If there was nothing, just end; you are asked only once.",
  ].join(" ");
  return { session: { ...session, reminded: true }, output: client.goOn(reason) };
}

/** Whether an edited file can have taught something: one of this project that is not the memory itself, or beside it. */
function isWork(file: string | undefined): file is string {
  return file !== undefined && !file.split(/[/\\]/).includes(CONTEXT_FOLDER);
}

function moreLessons(count: number): string {
  return `${plural(count, "more lesson")}: call search_memory with the task before you start.`;
}

/** A file may be called anything, and its name goes to the model. */
function plainName(file: string): string {
  return oneLine(file).replaceAll("<", "\u2039").slice(0, 80);
}

const COMPACTION_DUE = "A compaction is due: call compact_memory after the task.";
const AFTER_COMPACTION =
  "The context was just compacted. If something was found out before that the instructions did not say, call log_memory for it now, while the summary still shows it.";

function mayRemind({ edited, logged, reminded }: Session): boolean {
  return edited.length > 0 && !logged && !reminded;
}

function idsOf(lines: readonly LessonLine[]): string[] {
  return lines.map(({ version }) => version.id);
}
