/** Shows candidates one at a time with their evidence. You keep, correct or refuse each one. */
import { Option } from "commander";
import { SentinelError } from "../../../ground/core/errors.ts";
import { whenText } from "../../../lessons/format/when-text.ts";
import { correct, inShort, noteRedactions } from "../../../lessons/terminal/lessons.ts";
import type { FoundLog } from "../../../sessions/consent/find-log.ts";
import { type NoteLog, openNotes } from "../../../sessions/notes/note-log.ts";
import {
  type AddSessionCommand,
  lookForLog,
  openLog,
  type SessionCommandContext,
} from "../../../sessions/terminal/project-log.ts";
import {
  evidence,
  type Kept,
  keepOffer,
  type Offer,
  offersIn,
  undoKeep,
  type Worded,
} from "../../review/offers.ts";

interface Options {
  readonly list?: boolean;
  readonly json?: boolean;
  readonly keep?: string;
  readonly never?: string;
  readonly lesson?: string;
  readonly block?: boolean;
  readonly replace?: boolean;
}

const OF_ANY = "y keep, e keep in your words, n never, s later, q stop:";
const OF_KNOWN =
  "y keep, r keep and replace the existing one, e keep in your words, n never, s later, q stop:";
const OF_AGED = "e another rule, f forget it, n it holds as it is, s later, q stop:";

export const addReview: AddSessionCommand = (program, open) => {
  program
    .command("review")
    .description("review failures, notes and aged lessons one at a time")
    .option("--list", "print all, and ask nothing")
    .option("--json", "print all as JSON")
    .option("--keep <id>", "keep this one as a lesson")
    .option("--lesson <text>", "the rule, with --keep")
    .option("--block", "with --keep: block the first such call in a session, if settings allow it")
    .option("--replace", "with --keep: replace the existing lesson that it repeats or contradicts")
    .addOption(
      new Option("--never <id>", "never offer this one again").conflicts([
        "keep",
        "lesson",
        "block",
        "replace",
      ]),
    )
    .action((options: Options) => review(open(), options));
};

/** @throws SentinelError `not_recorded` if the session log can't be read, or if an id is given and there is no log. `not_found` for an unknown id. */
async function review(context: SessionCommandContext, options: Options): Promise<void> {
  const { terminal } = context;
  mustSayWhat(options);
  const found = await lookForLog(context);
  const notes = openNotes(context, found);
  const all = await offersIn(context, found.record, notes, terminal.page.width);
  const id = options.keep ?? options.never;
  const needsLog = id !== undefined || found.status === "unclear";
  if (all.length === 0 && !found.record && needsLog) {
    await openLog(context);
  }
  if (id !== undefined) {
    return settle(context, notes, named(all, id), options);
  }
  const never = await notes.never();
  const waiting = all.filter((offer) => !never.has(offer.id));
  if (options.json) {
    return terminal.printJson(waiting.map(asJson));
  }
  if (waiting.length === 0) {
    return terminal.note(nothingWaits(found));
  }
  const asks = terminal.isInteractive && !options.list;
  for (const [at, offer] of waiting.entries()) {
    terminal.print(`${at === 0 ? "" : "\n"}${evidence(offer, terminal.page, context.spelt)}`);
    if (asks && !(await decide(context, notes, offer))) {
      return;
    }
  }
  if (!asks) {
    terminal.note(
      "Keep one with sentinel-memory review --keep ID --lesson TEXT, or refuse it with --never ID.",
    );
  }
}

/** @throws SentinelError `bad_argument` for options that don't fit together. */
function mustSayWhat({ keep, lesson, block, replace }: Options): void {
  const saysHow = lesson !== undefined || block || replace;
  if (keep === undefined && saysHow) {
    const what = "--lesson, --block and --replace say how a candidate is kept.";
    throw new SentinelError("bad_argument", what, "Give --keep ID too.");
  }
  if (lesson?.trim() === "") {
    const fix = "Give the rule, or leave --lesson out.";
    throw new SentinelError("bad_argument", "--lesson is blank.", fix);
  }
}

/** Keeps or refuses one candidate, depending on the options. */
async function settle(
  context: SessionCommandContext,
  notes: NoteLog,
  offer: Offer,
  { keep: kept, lesson, block, replace }: Options,
): Promise<void> {
  if (kept !== undefined) {
    await keep(context, notes, offer, { lesson, replace, hold: block });
    return;
  }
  await notes.decide(offer.id);
  context.terminal.tell(`Never offered again: ${offer.id}.${again(offer)}`);
}

/** Failures only come from the session log. Without one, explain that no failures were checked. */
function nothingWaits({ status }: FoundLog): string {
  if (status === "on" || status === "newer") {
    return "Nothing to review.";
  }
  return "Nothing to review (new failures are offered only while a session log is kept: sentinel-memory sessions on).";
}

/** Explains how to undo a refusal. A refused note can't be kept later, because its text is deleted. */
const again = ({ id, note }: Offer): string =>
  note
    ? " Its words are removed from what waits."
    : ` To keep it after all: sentinel-memory review --keep ${id}`;

/** Finds a candidate by its id. @throws SentinelError `not_found`. */
function named(all: readonly Offer[], id: string): Offer {
  const found = all.find((offer) => offer.id === id);
  if (found) {
    return found;
  }
  const fix =
    "To list the ids: sentinel-memory review --list. A failure that a lesson covers is no longer a candidate.";
  throw new SentinelError("not_found", `There is no candidate ${id}.`, fix);
}

/** Asks about one candidate. @returns whether to continue. */
async function decide(
  context: SessionCommandContext,
  notes: NoteLog,
  offer: Offer,
): Promise<boolean> {
  const { terminal } = context;
  const why = "This isn't a terminal that can ask about candidates.";
  const ask = (question: string) => terminal.mustAnswer(question, why, "--keep or --never");
  const { question, keys } = choicesFor(offer);
  for (;;) {
    const key = (await ask(question)).toLowerCase();
    if (key === "q") {
      return false;
    }
    if (key === "" || key === "s") {
      return true;
    }
    if (keys.includes(key) && (await carryOut(key, context, notes, offer, ask))) {
      return true;
    }
  }
}

/** Carries out one answer. @returns false to ask again, because there was no rule or the answer was undone. */
async function carryOut(
  key: string,
  context: SessionCommandContext,
  notes: NoteLog,
  offer: Offer,
  ask: (question: string) => Promise<string>,
): Promise<boolean> {
  const { lessons } = context;
  const { id, aged, note } = offer;
  const lesson = key === "e" ? await ask("The rule:") : "";
  if (key === "e" && lesson.trim() === "") {
    return false;
  }
  if (aged && key !== "n") {
    // `restore` brings the lesson back, so there is no undo here.
    if (key === "f") {
      await lessons.forget([aged], "names a missing file or option");
    } else {
      await correct(context, aged, () => ({ lesson }));
    }
    return true;
  }
  let kept: Kept | undefined;
  if (key === "n") {
    await notes.decide(id);
  } else {
    kept = await keep(context, notes, offer, { lesson, replace: key === "r" });
  }
  if ((await ask("Enter to go on, u to undo:")).toLowerCase() !== "u") {
    return true;
  }
  if (kept) {
    await undoKeep(lessons, kept);
  }
  if (!kept || note) {
    await notes.undo(id, note);
  }
  return false;
}

interface Choices {
  readonly question: string;
  /** The keys that decide. */
  readonly keys: readonly string[];
}

function choicesFor({ aged, existing }: Offer): Choices {
  if (aged) {
    return { question: OF_AGED, keys: ["e", "f", "n"] };
  }
  if (existing) {
    return { question: OF_KNOWN, keys: ["y", "r", "e", "n"] };
  }
  return { question: OF_ANY, keys: ["y", "e", "n"] };
}

/** Keeps a candidate and prints the lesson. @throws SentinelError as `keepOffer` does. */
async function keep(
  context: SessionCommandContext,
  notes: NoteLog,
  offer: Offer,
  worded: Worded,
): Promise<Kept> {
  const { terminal } = context;
  const kept = await keepOffer(context, notes, offer, worded);
  const { line, redactions, retired } = kept;
  noteRedactions(terminal, redactions);
  terminal.print(`Kept: ${inShort(line.version, terminal.page)}`);
  for (const { version } of retired) {
    terminal.print(`Replaced: ${inShort(version, terminal.page)}`);
  }
  terminal.tell(`sentinel-memory edit ${line.version.id.slice(0, 8)} changes it.`);
  return kept;
}

const asJson = ({ id, proposal: { when }, json: more }: Offer): object => ({
  id,
  ...more,
  when: when && whenText(when),
});
