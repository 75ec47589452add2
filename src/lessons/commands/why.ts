/** Shows which lessons an agent would get for a text, and the reason, by the functions that the hooks use. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { nameInProject } from "../../ground/clients/hook-event.ts";
import { SentinelError } from "../../ground/core/errors.ts";
import { present } from "../../ground/core/text.ts";
import { localMinute } from "../../ground/core/time.ts";
import { branchOf } from "../../ground/project/git.ts";
import { json, type Page } from "../../ground/terminal/layout.ts";
import { whenOf } from "../format/when.ts";
import { giftsAt, type Occasion, type Scene, workAt } from "../hooks/ask-hooks.ts";
import { mentions } from "../hooks/mentions.ts";
import type { Snapshot } from "../merge/fold.ts";
import type { LessonLine } from "../merge/versions.ts";
import { readMemoryPolicy } from "../policy.ts";
import type { Work } from "../queries/matches-when.ts";
import { mayMatch, nearestTo, wordsInCommon } from "../queries/prompt-lessons.ts";
import { keptOut, matchingValues, type NotMatched, nearMiss } from "../queries/why-not.ts";
import { inShort } from "../terminal/lessons.ts";
import {
  type AddLessonCommand,
  type LessonCommandContext,
  readMemory,
} from "../terminal/read-memory.ts";

const HEADINGS: Readonly<Record<Occasion, string>> = {
  prompt: "At the prompt",
  command: "Before the command",
  file: "When it reads or edits the file",
  error: "At the error",
};

/** A lesson at one occasion. */
interface Answer {
  readonly line: LessonLine;
  /** The values of its `when` that match. */
  readonly when: readonly string[];
  /** The words that match; empty if its `when` does. */
  readonly words: readonly string[];
  readonly blocks: boolean;
  /** Whether it is marked to block, which the project does not allow. */
  readonly blockIsOff: boolean;
}

type Answers = ReadonlyMap<Occasion, readonly Answer[]>;

export const addWhy: AddLessonCommand = (program, open) => {
  program
    .command("why")
    .description("show which lessons an agent would get for a text, when, and why")
    .argument("<text...>", "a command, the path of a file, an error text or a prompt")
    .option("--json", "print the answer as JSON")
    .action((words: string[], options: { readonly json?: true }) =>
      why(open(), words.join(" "), options),
    );
};

async function why(
  context: LessonCommandContext,
  text: string,
  options: { readonly json?: true },
): Promise<void> {
  if (text.trim() === "")
    throw new SentinelError(
      "bad_argument",
      "There is no text to look for.",
      "Give a command, a file, an error text or a prompt.",
    );
  const snapshot = await readMemory(context);
  const scene = await sceneOf(context, snapshot);
  const moment = {
    branch: await branchOf(scene.project),
    now: localMinute(scene.now),
  };
  const occasions = occasionsOf(text, context).map(([occasion, said]) => ({
    occasion,
    said,
    work: workAt(occasion, said, moment),
  }));
  const answers = new Map<Occasion, readonly Answer[]>();
  for (const one of occasions) answers.set(one.occasion, await answersAt(one, snapshot, scene));
  const isFound = [...answers.values()].some((found) => found.length > 0);
  const nearest = isFound
    ? undefined
    : nearestOf(
        snapshot,
        text,
        occasions.map(({ work }) => work),
      );
  if (options.json) return context.terminal.print(json(inJson(answers, nearest)));
  const { terminal } = context;
  for (const [occasion, found] of answers) {
    const isSilent = occasion === "prompt" && !mayMatch(text);
    const none = isSilent ? ` no lesson, as ${TOO_SHORT}.` : " no lesson.";
    terminal.print(`${HEADINGS[occasion]}:${found.length === 0 ? none : ""}`);
    for (const answer of found) terminal.print(rowsOf(answer, terminal.page).join("\n"));
  }
  if (nearest)
    terminal.print(
      `\nNearest: ${inShort(nearest.line.version, terminal.page)}\n  ${nearest.reason}`,
    );
  else if (!isFound && snapshot.count > 0) terminal.tell(NOTHING_NEAR);
}

const TOO_SHORT = "a prompt with fewer than two telling words brings none";
const NOTHING_NEAR = `
No lesson comes close to this text. sentinel-memory search WORDS finds lessons, and sentinel-memory edit ID --when TEXT
sets the work in which one comes up.`;

async function answersAt(
  { occasion, said, work }: { occasion: Occasion; said: string; work: Work },
  snapshot: Snapshot,
  scene: Scene,
): Promise<Answer[]> {
  const isCall = occasion === "command" || occasion === "file";
  const blockIsOff = isCall && !(await scene.holds());
  const gifts = await giftsAt(occasion, said, scene);
  return gifts.flatMap(({ id, blocks }) => {
    const line = snapshot.lessons().find(({ version }) => version.id === id);
    if (!line) return [];
    const own = whenOf(line.version);
    const when = matchingValues(own, work);
    const words = when.length > 0 ? [] : wordsInCommon(snapshot, said, line);
    return [{ line, when, words, blocks, blockIsOff: blockIsOff && own.hold === true }];
  });
}

/** The lesson that only just does not come up. */
const nearestOf = (
  snapshot: Snapshot,
  text: string,
  works: readonly Work[],
): NotMatched | undefined =>
  keptOut(snapshot.lessons(), works) ??
  nearMiss(snapshot.lessons(), text) ??
  nearestTo(snapshot, text);

/** The project as its hooks see it. */
async function sceneOf(
  { lessons, project, env }: LessonCommandContext,
  snapshot: Snapshot,
): Promise<Scene> {
  const { context, folder } = project;
  const policy = await readMemoryPolicy(context);
  return {
    project: folder,
    mentions: (word) => mentions(context.memoryFile, word),
    read: async () => snapshot,
    report: () => lessons.report(),
    readPolicy: async () => policy,
    holds: async () => env.SENTINEL_HOLD === "on" || policy.values.hold,
    now: Date.now(),
  };
}

/** A path without blanks has a slash or an extension. */
const LIKE_A_PATH = /^\S*(?:[/\\]|\.[^\s./\\]+$)\S*$/;

/** What the text can be. It is a path if it looks like one, or if the file is there. */
function occasionsOf(text: string, { cwd, project }: LessonCommandContext): [Occasion, string][] {
  const here = resolve(cwd, text);
  const isThere = existsSync(here);
  const canBeFile = isThere || LIKE_A_PATH.test(text);
  const name = canBeFile ? nameInProject(isThere ? here : text, project.folder) : undefined;
  return [
    ["prompt", text],
    ["command", text],
    ...(name === undefined ? [] : [["file", name] satisfies [Occasion, string]]),
    ["error", text],
  ];
}

function rowsOf({ line, when, words, blocks, blockIsOff }: Answer, page: Page): string[] {
  return present(
    `  ${inShort(line.version, page)}`,
    when.length > 0 && `    when: ${when.join("; ")}`,
    words.length > 0 && `    words: ${words.join(", ")}`,
    blocks && "    blocks the first call of a session",
    blockIsOff && "    marked to block, but hold: true is not in the policy",
  );
}

function inJson(answers: Answers, nearest: NotMatched | undefined): object {
  const named = ({ version: { id, topic, lesson } }: LessonLine) => ({ id, topic, lesson });
  const rows = [...answers].map(([occasion, found]) => [
    occasion,
    found.map(({ line, when, words, blocks }) => ({ ...named(line), when, words, blocks })),
  ]);
  const missed = nearest && { nearest: { ...named(nearest.line), reason: nearest.reason } };
  return { ...Object.fromEntries(rows), ...missed };
}
