/** Chooses the lesson that a hook gives at an action: before a command or an edit, when a file is read, or after a failed call. */
import type { HookEvent } from "../../ground/clients/hook-event.ts";
import { nameOf, startedCommands } from "../../ground/core/shell-commands.ts";
import { CLOSE, OPEN, withoutMarks } from "../../ground/core/text.ts";
import { localMinute } from "../../ground/core/time.ts";
import { indexLine } from "../format/lesson-text.ts";
import { whenOf } from "../format/when.ts";
import type { LessonLine } from "../merge/versions.ts";
import { mostImportantFirst } from "../queries/lesson-ranking.ts";
import { comingUp, type Known, type Trigger, triggerOf, workOn } from "../queries/matches-when.ts";
import { References } from "../queries/references.ts";
import { inject } from "./injection.ts";
import { AT_ACTION } from "./limits.ts";
import { withGivenSinceStart } from "./session-file.ts";
import { branchFor, plainName, type Response, type Situation } from "./situation.ts";

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

/** @param givesAfter whether the client accepts no text before a call, so the lesson comes with the result. */
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
export async function giveAtAction(
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
