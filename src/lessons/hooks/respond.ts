/**
 * The answer of a hook to one event, and the new state of the conversation: lessons at the start, at a prompt and at an action, and a
 * reminder at the end of a turn. Most events get no answer.
 */
import { hash } from "node:crypto";
import type { HookEvent } from "../../ground/clients/hook-event.ts";
import type { Budget } from "../../ground/core/budget.ts";
import { nameOf, startedCommands } from "../../ground/core/shell-commands.ts";
import { CLOSE, OPEN, plural, present, withoutMarks } from "../../ground/core/text.ts";
import { localMinute } from "../../ground/core/time.ts";
import { CONTEXT_FOLDER } from "../../ground/project/context-folder.ts";
import { digestLine } from "../answers/digest.ts";
import { fileReport } from "../answers/file-report.ts";
import { headOfTopics, topicLine } from "../answers/titles.ts";
import { indexLine } from "../format/lesson-text.ts";
import { whenOf } from "../format/when.ts";
import type { LessonLine } from "../merge/versions.ts";
import { memoryPolicyNotes } from "../policy.ts";
import { compactionDue } from "../queries/compaction.ts";
import { lessonsFor, mayMatch, mostImportantFirst } from "../queries/lesson-ranking.ts";
import {
  comingUp,
  inForce,
  type Known,
  type Trigger,
  triggerOf,
  workOn,
} from "../queries/matches-when.ts";
import { References } from "../queries/references.ts";
import { digested } from "./digested.ts";
import { solvedText, withRun } from "./failed-command.ts";
import { inject, marked } from "./injection.ts";
import { AT_ACTION, MOST_AT_PROMPT, SHOWN } from "./limits.ts";
import {
  type Session,
  withAnswered,
  withEdited,
  withGiven,
  withGivenSinceStart,
  withoutFailure,
} from "./session-file.ts";
import { branchFor, plainName, type Response, type Situation } from "./situation.ts";

const AT_PROMPT: Budget = { ...SHOWN, tokens: 600 };
const MOST_FILES_NAMED = 5;

export async function respond(situation: Situation): Promise<Response> {
  const { event, client, now } = situation;
  const key = hash("sha256", `${event.kind} ${event.afterCompaction} ${event.prompt}`);
  // Only these events could repeat text. A reminder appears once anyway, and a second edit or log of the same kind changes nothing.
  const isGiving = event.kind === "session-start" || event.kind === "prompt";
  const session = isGiving ? withAnswered(situation.session, key, now) : situation.session;
  if (!session) {
    return { session: situation.session };
  }
  const action = actionOf(event, situation.file, client.hold === undefined);
  switch (event.kind) {
    case "session-start":
      return startSession({
        ...situation,
        session: event.afterCompaction ? session : withoutFailure(session),
      });
    case "prompt":
      return answerPrompt({ ...situation, session });
    case "log":
      return { session: { ...withoutFailure(session), logged: true, edited: [] } };
    case "stop":
      return endTurn({ ...situation, session });
    default: {
      const worked = withWork(session, situation);
      if (!action || !situation.hasTriggers()) {
        return { session: worked };
      }
      return giveAtAction({ ...situation, session: worked }, action);
    }
  }
}

/** Adds an edit, or a command that failed or that failed before, to the work that the next log is about. */
function withWork(session: Session, { event, file, failed }: Situation): Session {
  if (event.kind === "before-command") {
    return withRun(session, event.command);
  }
  if (event.kind === "failure" && failed) {
    return { ...session, failed };
  }
  if (event.kind !== "edit" || !isWork(file)) {
    return session;
  }
  return { ...withEdited(session, file), logged: false };
}

async function startSession(situation: Situation): Promise<Response> {
  const { event, client, session, read, report, readPolicy } = situation;
  const snapshot = await read();
  const policy = await readPolicy();
  const { compact_threshold, session_tokens } = policy.values;
  const hasUnlogged = session.edited.length > 0 && !session.logged && !session.reminded;
  const notes = present(
    ...fileReport(await report()),
    ...memoryPolicyNotes(policy),
    event.afterCompaction && hasUnlogged && AFTER_COMPACTION,
    compactionDue(snapshot, compact_threshold) && COMPACTION_DUE,
  );
  const references = new References(snapshot);
  const known = client.instructions ? digested(situation.project, client.instructions) : new Set();
  const isKnown = (line: LessonLine) =>
    known.has(digestLine({ version: line.version, reference: references.short(line) })) &&
    !line.also;
  const branch = await branchFor(snapshot, situation.project);
  const lessons = inForce(snapshot.lessons(), { now: localMinute(situation.now), branch });
  const lines = lessons.filter((line) => !isKnown(line));
  if (lines.length === 0 && notes.length === 0) {
    return { session };
  }
  const { text, shown } = atStart(
    lines.sort(mostImportantFirst),
    lines.length < lessons.length ? BESIDE_DIGEST : "",
    notes,
    references,
    { ...SHOWN, tokens: session_tokens },
  );
  const output = client.addContext(text, event);
  if (!output) {
    return { session };
  }
  // A new context lacks all lessons that were given before.
  const fresh = { ...session, given: [], sinceStart: [] };
  const ids = client.dropsStart ? [] : idsOf(shown);
  // Topics alone are no lesson.
  if (ids.length === 0) {
    return { session: fresh, output };
  }
  return { session: withGiven(fresh, ids), output, given: { ids, trigger: "start", text } };
}

/** All lessons if they fit, otherwise their topics. @param which lessons they are, if not all. */
function atStart(
  lines: readonly LessonLine[],
  which: string,
  notes: readonly string[],
  references: References,
  budget: Budget,
): { readonly text: string; readonly shown: readonly LessonLine[] } {
  const head = `Lessons this project has already learned${which}, most important first.`;
  const whole = inject(lines.length > 0 ? [head, ...notes] : notes, lines, references, budget);
  if (whole.shown.length === lines.length) {
    return whole;
  }
  const text = marked([headOfTopics(lines.length, which), ...notes], [topicLine(lines)]);
  return { text, shown: [] };
}

async function answerPrompt(situation: Situation): Promise<Response> {
  const { event, promptBefore, client, project, session, read, now } = situation;
  const prompt = present(event.prompt, promptBefore).join("\n");
  const snapshot = await read();
  const given = new Set(session.given);
  const branch = await branchFor(snapshot, project);
  const matching = lessonsFor(snapshot, prompt, { now: localMinute(now), branch });
  // Each "thanks" after the same prompt would otherwise give the next best.
  const best = promptBefore === "" ? matching : matching.slice(0, MOST_AT_PROMPT);
  const lines = best.filter((line) => !given.has(line.version.id)).slice(0, MOST_AT_PROMPT);
  if (lines.length === 0) {
    return { session };
  }
  const head = "Lessons of this project that match the prompt. search_memory has more.";
  const { text, shown } = inject([head], lines, new References(snapshot), AT_PROMPT);
  const output = shown.length > 0 ? client.addContext(text, event) : undefined;
  if (!output) {
    return { session };
  }
  return {
    session: withGivenSinceStart(session, idsOf(shown)),
    output,
    given: { ids: idsOf(shown), trigger: "prompt", text },
  };
}

/** Whether the prompt has no subject, like "and that one?", and isn't a command of the client, like "/clear". */
export const isFollowUp = ({ kind, prompt }: HookEvent): boolean =>
  kind === "prompt" && !mayMatch(prompt) && !prompt.startsWith("/");

function endTurn({ event, client, session, remind }: Situation): Response {
  const solved = solvedText(session);
  const hasTaught = session.edited.length > 0 || solved !== "";
  if (!remind || event.causedByHook || !hasTaught || session.logged || session.reminded) {
    return { session };
  }
  const reason = present(
    session.edited.length > 0 && `You changed ${namedFiles(session.edited)} and logged nothing.`,
    solved,
    "If you had to find out something the instructions did not say, call log_memory once for each such thing.",
    "If nothing was missing, finish. You will not be asked again.",
  ).join(" ");
  return { session: { ...session, reminded: true }, output: client.goOn(reason) };
}

function namedFiles(files: readonly string[]): string {
  const more = files.length - MOST_FILES_NAMED;
  const named = files.slice(0, MOST_FILES_NAMED).map(plainName).join(", ");
  return more > 0 ? `${named} and ${plural(more, "more file")}` : named;
}

/** Whether an edited file may lead to a lesson. It must be in this project and outside of the memory's folder. */
function isWork(file: string | undefined): file is string {
  return file !== undefined && !file.split(/[/\\]/).includes(CONTEXT_FOLDER);
}

const BESIDE_DIGEST = " that are not in the digest of your instructions";
const COMPACTION_DUE = "A compaction is due: call compact_memory after the task.";
const AFTER_COMPACTION =
  "The context was just compacted. If you had found out something the instructions did not say, call log_memory for it now, while the summary still shows it.";

const idsOf = (lines: readonly LessonLine[]): string[] => lines.map(({ version }) => version.id);

/** The most calls that lessons block in one session. */
const MOST_HELD = 3;
/** Programs and subcommands that only show or test something. An error in their output is rarely their own. */
const SHOWING = new Set([
  ..."awk cat egrep fgrep grep head jq less rg sed tail".split(" "),
  ...["git blame", "git diff", "git grep", "git log", "git show"],
  ...["docker logs", "docker-compose logs", "kubectl logs", "podman logs"],
  ..."[ cd cut echo for ls printf pwd set sort test tr true uniq wc".split(" "),
]);
/** Options before a subcommand that take a value. */
const TAKES_VALUE = /^(?:-[CHcfn]|--(?:context|file|git-dir|namespace|work-tree))$/;
const SHORTER = 0.6;

/** A call, as lessons are compared with it. */
interface Action {
  readonly about: Pick<Known, "files" | "command" | "error">;
  readonly head: string;
  /** The only trigger that counts, if lessons with others were given before the call. */
  readonly only?: Trigger;
}

/** @param givesAfter whether the client accepts no text before a call, so the lesson comes with the result. @internal */
export function actionOf(
  event: HookEvent,
  file: string | undefined,
  givesAfter: boolean,
): Action | undefined {
  const { kind, command, output } = event;
  if (kind === "before-command" && command !== "") {
    return {
      about: { command },
      head: "A lesson of this project for this command.",
    };
  }
  const error = kind === "result" && onlyShows(command) ? "" : output;
  if (kind === "result" && givesAfter) {
    return {
      about: { command, error: error || undefined },
      head: "A lesson of this project for this command and its result.",
    };
  }
  if ((kind === "failure" || kind === "result") && error !== "") {
    return {
      about: { command, error },
      head: "A lesson of this project for this failure.",
      only: "error",
    };
  }
  const isAtFile = kind === "read" || kind === "before-edit" || (kind === "edit" && givesAfter);
  if (!isAtFile || file === undefined) {
    return undefined;
  }
  return {
    about: { files: [file] },
    head: `A lesson of this project for work on ${plainName(file)}.`,
  };
}

/** Whether every command in a line only shows something. */
function onlyShows(line: string): boolean {
  const commands = startedCommands(line).filter((words) => words.length > 0);
  return commands.length > 0 && commands.every(isShowing);
}

function isShowing([program, ...words]: readonly string[]): boolean {
  const name = nameOf(program);
  const isValue = (at: number) => TAKES_VALUE.test(words[at - 1] ?? "");
  const subcommand = words.find(
    (word, at) => !word.startsWith("-") && word !== "compose" && !isValue(at),
  );
  return SHOWING.has(name) || SHOWING.has(`${name} ${subcommand}`);
}

/** Gives the most important lesson that comes up and wasn't given before. Prefers one that blocks. */
async function giveAtAction(
  situation: Situation,
  { about, head, only }: Action,
): Promise<Response> {
  const { event, client, session, holds, project } = situation;
  const snapshot = await situation.read();
  const branch = await branchFor(snapshot, project);
  const work = workOn({ ...about, branch, now: localMinute(situation.now) });
  const given = new Set(session.sinceStart);
  const found = comingUp(snapshot.lessons(), work)
    .map((line) => ({ line, trigger: triggerOf(whenOf(line.version), work) }))
    .filter(({ line, trigger }) => !given.has(givenAs(line, trigger)))
    .filter(({ trigger }) => only === undefined || trigger === only)
    .sort((a, b) => mostImportantFirst(a.line, b.line));
  const hold =
    event.kind.startsWith("before-") && (session.held ?? 0) < MOST_HELD ? client.hold : undefined;
  const toHold = hold && found.find(({ line }) => whenOf(line.version).hold);
  const isHeld = toHold !== undefined && (await holds());
  const chosen = isHeld ? toHold : found[0];
  if (chosen === undefined) {
    return { session };
  }
  const { line, trigger } = chosen;
  const references = new References(snapshot);
  const text = given.has(line.version.id)
    ? inShort(line, references)
    : textOf(line, isHeld ? [head, HELD] : [head], references);
  const output = isHeld ? hold?.(text, event) : client.addContext(text, event);
  if (output === undefined) {
    return { session };
  }
  const after = withGivenSinceStart(session, [line.version.id, givenAs(line, trigger)]);
  const why = `${trigger}${isHeld ? ", held" : ""}`;
  return {
    session: isHeld ? { ...after, held: (session.held ?? 0) + 1 } : after,
    output,
    given: { ids: [line.version.id], text, trigger: why },
  };
}

/** After a failure, repeats the lesson of the call in short, because the agent reads it next to the result. */
function givenAs({ version }: LessonLine, trigger: Trigger | undefined): string {
  return trigger === "error" ? `${version.id} at a failure` : version.id;
}

function inShort(line: LessonLine, references: References): string {
  const said = indexLine(line.version, references.short(line));
  return [OPEN, "A lesson above is about this failure:", withoutMarks(said), CLOSE].join("\n");
}

const HELD = "This call was blocked once because of this lesson. Repeat it to run it.";

/** The text that a hook adds. A lesson that is too long for its budget is cut, with a note. @param kept how many characters of its rule. */
function textOf(
  line: LessonLine,
  heads: readonly string[],
  references: References,
  kept = line.version.lesson.length,
): string {
  const { text, shown } = inject(heads, [shortened(line, kept)], references, AT_ACTION);
  if (shown.length > 0 || kept === 0) {
    return text;
  }
  return textOf(line, heads, references, Math.floor(kept * SHORTER));
}

function shortened(line: LessonLine, kept: number): LessonLine {
  const { ask_next_time: _, ...version } = line.version;
  if (kept === version.lesson.length) {
    return line;
  }
  const lesson = `${version.lesson.slice(0, kept).toWellFormed()} ${CUT}`;
  return { ...line, version: { ...version, missing_context: "", lesson } };
}

const CUT = "(cut: search_memory with its id returns the rest)";
