/** The answer of a hook to one event, and the new state of the conversation. Most events get no answer. */
import { hash } from "node:crypto";
import type { HookEvent } from "../../ground/clients/hook-event.ts";
import type { Budget } from "../../ground/core/budget.ts";
import { plural, present } from "../../ground/core/text.ts";
import { localMinute } from "../../ground/core/time.ts";
import { CONTEXT_FOLDER } from "../../ground/project/context-folder.ts";
import { digestLine } from "../answers/digest.ts";
import { fileReport } from "../answers/file-report.ts";
import { headOfTopics, topicLine } from "../answers/titles.ts";
import type { LessonLine } from "../merge/versions.ts";
import { memoryPolicyNotes } from "../policy.ts";
import { compactionDue } from "../queries/compaction.ts";
import { lessonsFor, mayMatch, mostImportantFirst } from "../queries/lesson-ranking.ts";
import { inForce } from "../queries/matches-when.ts";
import { References } from "../queries/references.ts";
import { actionOf, giveAtAction } from "./at-action.ts";
import { digested } from "./digested.ts";
import { solvedText, withRun } from "./failed-command.ts";
import { inject, marked } from "./injection.ts";
import { MOST_AT_PROMPT, SHOWN } from "./limits.ts";
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
