/** Shows candidates one at a time with their evidence; a person keeps, corrects or refuses each. */
import { Option } from "commander";
import { SentinelError } from "../../../ground/core/errors.ts";
import { json, type Page } from "../../../ground/terminal/layout.ts";
import type { Spell } from "../../../ground/terminal/shell.ts";
import { whenText } from "../../../lessons/format/when-text.ts";
import { correct } from "../../../lessons/terminal/correct.ts";
import { factRows, inShort, texts } from "../../../lessons/terminal/lessons.ts";
import { noteRedactions } from "../../../lessons/terminal/read-memory.ts";
import type { FoundLog } from "../../../sessions/consent/find-log.ts";
import { type NoteLog, openNotes } from "../../../sessions/notes/note-log.ts";
import { lookForLog, openLog } from "../../../sessions/terminal/project-log.ts";
import type { Offer } from "../../review/offers.ts";
import { keepOffer, offersIn, type Worded } from "../../review/waiting.ts";
import type { AddCommand, CommandContext } from "../command.ts";

interface Options {
  readonly list?: boolean;
  readonly json?: boolean;
  readonly keep?: string;
  readonly never?: string;
  readonly lesson?: string;
  readonly block?: boolean;
}

const OF_ANY = "y keep, e keep in your words, n never, s later, q stop:";
const OF_AGED = "e another rule, f forget it, n it holds as it is, s later, q stop:";

export const addReview: AddCommand = (program, open) => {
  program
    .command("review")
    .description("review failures, notes and aged lessons one at a time")
    .option("--list", "print all, and ask nothing")
    .option("--json", "print all as JSON")
    .option("--keep <id>", "keep this one as a lesson")
    .option("--lesson <text>", "the rule, with --keep")
    .option("--block", "with --keep: block the first such call in a session, if settings allow it")
    .addOption(
      new Option("--never <id>", "never offer this one again").conflicts([
        "keep",
        "lesson",
        "block",
      ]),
    )
    .action((options: Options) => review(open(), options));
};

/** @throws SentinelError `not_recorded` if the session log cannot be read, or an id is given and there is no log; `not_found` for an unknown id. */
async function review(context: CommandContext, options: Options): Promise<void> {
  const { terminal } = context;
  if (options.keep === undefined && (options.lesson !== undefined || options.block))
    throw new SentinelError(
      "bad_argument",
      "--lesson and --block say how a candidate is kept.",
      "Give --keep ID too.",
    );
  if (options.lesson?.trim() === "")
    throw new SentinelError(
      "bad_argument",
      "--lesson is blank.",
      "Say the rule, or leave --lesson out.",
    );
  const found = await lookForLog(context);
  const { record } = found;
  const notes = openNotes(context, found);
  const all = await offersIn(context, record, notes, terminal.page.width);
  const id = options.keep ?? options.never;
  if (all.length === 0 && !record && (id !== undefined || found.status === "unclear"))
    await openLog(context);
  if (id !== undefined) {
    const offer = named(all, id);
    if (options.keep !== undefined)
      await keep(context, notes, offer, { lesson: options.lesson, hold: options.block });
    else await notes.decide(id);
    if (options.never !== undefined) terminal.tell(`Never offered again: ${id}.${again(offer)}`);
    return;
  }
  const never = await notes.never();
  const waiting = all.filter((offer) => !never.has(offer.id));
  if (options.json) return terminal.print(json(waiting.map(asJson)));
  if (waiting.length === 0) return terminal.note(nothingWaits(found));
  const asks = terminal.isInteractive && !options.list;
  for (const [at, offer] of waiting.entries()) {
    terminal.print(`${at === 0 ? "" : "\n"}${evidence(offer, terminal.page, context.spelt)}`);
    if (!asks) continue;
    if (offer.note) await notes.look(offer.note, Date.now());
    if (!(await decide(context, notes, offer))) return;
  }
  if (!asks)
    terminal.note(
      "Keep one with sentinel-memory review --keep ID --lesson TEXT, or say --never ID.",
    );
}

/** Failures come from the session log alone, so a person without one should know that none were looked for. */
function nothingWaits({ status }: FoundLog): string {
  if (status === "on" || status === "newer") return "Nothing to review.";
  return "Nothing to review (new failures are offered only while a session log is kept: sentinel-memory sessions on).";
}

/** The words of a note went with the decision. */
const again = ({ id, note }: Offer): string =>
  note
    ? " Its words are removed from what waits."
    : ` To keep it after all: sentinel-memory review --keep ${id}`;

/** @throws SentinelError `not_found`. */
function named(all: readonly Offer[], id: string): Offer {
  const found = all.find((offer) => offer.id === id);
  if (found) return found;
  const fix =
    "To list the ids: sentinel-memory review --list. A failure that a lesson covers is no longer a candidate.";
  throw new SentinelError("not_found", `There is no candidate ${id}.`, fix);
}

/** Asks about one. @returns whether to go on. */
async function decide(context: CommandContext, notes: NoteLog, offer: Offer): Promise<boolean> {
  const { terminal, lessons } = context;
  const { id, aged } = offer;
  const why = "This isn't a terminal that can ask about candidates.";
  const ask = (question: string) => terminal.mustAnswer(question, why, "--keep or --never");
  const keeps = aged ? ["e", "f"] : ["y", "e"];
  for (;;) {
    const key = (await ask(aged ? OF_AGED : OF_ANY)).toLowerCase();
    if (key === "q") return false;
    if (key === "" || key === "s") return true;
    if (key !== "n" && !keeps.includes(key)) continue;
    const lesson = key === "e" ? await ask("The rule:") : "";
    if (key === "e" && lesson.trim() === "") continue;
    const kept =
      key === "y" || (key === "e" && !aged)
        ? await keep(context, notes, offer, { lesson })
        : undefined;
    if (aged && key === "f") await lessons.forget([aged], "names a missing file or option");
    if (aged && key === "e") await correct(context, aged, () => ({ lesson }));
    if (key === "n") await notes.decide(id);
    if (aged && key !== "n") return true; // `restore` brings both back.
    if ((await ask("Enter to go on, u to undo:")).toLowerCase() !== "u") return true;
    if (kept !== undefined) await lessons.forget([kept], "undone in review");
    if (kept === undefined || offer.note) await notes.undo(id, offer.note);
  }
}

/** @returns the id of the lesson. @throws SentinelError as `keepOffer` does. */
async function keep(
  context: CommandContext,
  notes: NoteLog,
  offer: Offer,
  worded: Worded,
): Promise<string> {
  const { terminal } = context;
  const { line, redactions } = await keepOffer(context, notes, offer, worded);
  noteRedactions(terminal, redactions);
  terminal.print(`Kept: ${inShort(line.version, terminal.page)}`);
  terminal.tell(`sentinel-memory edit ${line.version.id.slice(0, 8)} changes it.`);
  return line.version.id;
}

/** One of them with where it is from, and the lesson that it would be, or is. */
function evidence(
  { id, facts, output = [], proposal, aged }: Offer,
  page: Page,
  spelt: Spell,
): string {
  const { moment = "", is = "" } = facts;
  return [
    page.colours.yellow(id),
    ...factRows({ ...facts, moment: spelt(moment), is: spelt(is) }, page),
    ...output.map((line) => page.colours.dim(`  ${line}`)),
    page.colours.bold(aged ? "the lesson:" : "as a lesson:"),
    ...factRows({ topic: proposal.topic }, page),
    ...texts({ ...proposal, id, meta: { created: "" } }),
  ].join("\n");
}

const asJson = ({ id, proposal: { when }, json: more }: Offer): object => ({
  id,
  ...more,
  ...(when && { when: whenText(when) }),
});
