/** Failures that came back, each with its evidence: a person keeps one as a lesson, or never wants to see it again. */
import { Option } from "commander";
import { SentinelError } from "../../../ground/core/errors.ts";
import { firstWords, oneLine, plural } from "../../../ground/core/text.ts";
import { json, type Page } from "../../../ground/terminal/layout.ts";
import { whenText } from "../../../lessons/format/when-text.ts";
import { factRows, inShort, texts } from "../../../lessons/terminal/lessons.ts";
import { noteRedactions } from "../../../lessons/terminal/saved.ts";
import { decideNever, readNever } from "../../../sessions/candidates/never.ts";
import type { Candidate } from "../../../sessions/candidates/recurring.ts";
import { aroundMatch } from "../../../sessions/terminal/around-match.ts";
import { openLog } from "../../../sessions/terminal/project-log.ts";
import { candidatesIn, keepCandidate, lessonOf, type Worded } from "../../review/candidates.ts";
import type { AddCommand, CommandContext } from "../command.ts";

interface Options {
  readonly list?: boolean;
  readonly json?: boolean;
  readonly yes?: string;
  readonly never?: string;
  readonly lesson?: string;
  readonly hold?: boolean;
}

const OUTPUT_LINES = 5;
const OUTPUT_WIDTH = 160;
const MOST_COMMAND = 120;

export const addReview: AddCommand = (program, open) => {
  program
    .command("review")
    .description("show failures that came back, one at a time: keep each as a lesson, or never see it again")
    .option("--list", "print all, and ask nothing")
    .option("--json", "print all as JSON")
    .option("--yes <id>", "keep this one as a lesson")
    .option("--lesson <text>", "the rule, with --yes")
    .option("--hold", "with --yes: the first such call in a session does not run, where settings allow it")
    .addOption(new Option("--never <id>", "never offer this one again").conflicts(["yes", "lesson", "hold"]))
    .action((options: Options) => review(open(), options));
};

/** @throws SentinelError `not_recorded` where this project has no session log; `not_found` for an id that names no candidate. */
async function review(context: CommandContext, options: Options): Promise<void> {
  const { terminal } = context;
  if (options.yes === undefined && (options.lesson !== undefined || options.hold))
    throw new SentinelError("bad_argument", "--lesson and --hold say how a candidate is kept.", "Give --yes ID too.");
  const { folder, store } = await openLog(context);
  const all = await candidatesIn(context.lessons, store);
  if (options.yes !== undefined) {
    await keep(context, named(all, options.yes), options);
    return;
  }
  if (options.never !== undefined) {
    const { id } = named(all, options.never);
    decideNever(folder, id);
    return terminal.print(`Never offered again: ${id}. sentinel-memory review --yes ${id} keeps it all the same.`);
  }
  const never = await readNever(folder);
  const open = all.filter(({ id }) => !never.has(id));
  if (options.json) return terminal.print(json(open.map(asJson)));
  if (open.length === 0) return terminal.note("No failure came back in several sessions without a lesson about it.");
  const asks = terminal.isInteractive && !options.list;
  for (const [at, candidate] of open.entries()) {
    terminal.print(`${at === 0 ? "" : "\n"}${evidence(candidate, terminal.page)}`);
    if (asks && !(await decide(context, folder, candidate))) return;
  }
  if (!asks) terminal.note("Keep one with sentinel-memory review --yes ID --lesson TEXT, or say --never ID.");
}

/** @throws SentinelError `not_found`. */
function named(all: readonly Candidate[], id: string): Candidate {
  const found = all.find((candidate) => candidate.id === id);
  if (found) return found;
  const fix = "sentinel-memory review --list shows the ids of all; one that a lesson comes up for is none any more.";
  throw new SentinelError("not_found", `There is no candidate ${id}.`, fix);
}

/** Asks about one. @returns whether to go on. */
async function decide(context: CommandContext, folder: string, candidate: Candidate): Promise<boolean> {
  const { terminal, lessons } = context;
  const why = "Nobody can be asked about candidates here.";
  const ask = (question: string) => terminal.mustAnswer(question, why, "--yes or --never");
  for (;;) {
    const key = (await ask("y keep, e keep in your words, n never, s later, q stop:")).toLowerCase();
    if (key === "q") return false;
    if (key === "" || key === "s") return true;
    const isNever = key === "n";
    if (!isNever && key !== "y" && key !== "e") continue;
    const kept = isNever
      ? undefined
      : await keep(context, candidate, { lesson: key === "e" ? await ask("The rule:") : "" });
    if (isNever) decideNever(folder, candidate.id);
    if ((await ask("Enter to go on, u to undo:")).toLowerCase() !== "u") return true;
    if (kept === undefined) decideNever(folder, candidate.id, { again: true });
    else await lessons.forget([kept], "undone in review");
  }
}

/** @returns the id of the lesson. */
async function keep(context: CommandContext, candidate: Candidate, said: Worded): Promise<string> {
  const { terminal } = context;
  const { redactions, line } = await keepCandidate(context, candidate, said);
  noteRedactions(terminal, redactions);
  const { version } = line;
  terminal.print(
    `Kept: ${inShort(version, terminal.page)}\nsentinel-memory edit ${version.id.slice(0, 8)} changes it.`,
  );
  return version.id;
}

const inWords = (command: string): string => (command.length > MOST_COMMAND ? firstWords(command) : oneLine(command));

/** A failure, where and how often it happened, and the lesson that it would be. */
function evidence(candidate: Candidate, page: Page): string {
  const { id, latest, times, sessions, worked = "" } = candidate;
  const { event, command, line } = latest;
  const lesson = lessonOf(candidate);
  const output = event.content.excerpt_text ?? "";
  const shape = { mostLines: OUTPUT_LINES, width: Math.min(OUTPUT_WIDTH, page.width) - 2 };
  const facts = {
    failed: `${plural(times, "time")} in ${plural(sessions, "session")}, last on ${event.ts.slice(0, 16).replace("T", " ")}`,
    moment: `sentinel-memory record show ${event.id}`,
    command: inWords(command),
    worked,
  };
  return [
    page.colours.yellow(id),
    ...factRows(facts, page),
    ...aroundMatch(output, line, shape).map((shown) => page.colours.dim(`  ${shown}`)),
    page.colours.bold("as a lesson:"),
    ...factRows({ topic: lesson.topic }, page),
    ...texts({ ...lesson, id: "", meta: { created: "" } }),
  ].join("\n");
}

function asJson({ id, latest, times, sessions, worked, when }: Candidate): object {
  const { event, command, line } = latest;
  const moment = { event: event.id, session: event.session, at: event.ts };
  return { id, line, command, ...moment, times, sessions, ...(worked && { worked }), when: whenText(when) };
}
