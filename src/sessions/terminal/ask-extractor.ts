import { SentinelError } from "../../ground/core/errors.ts";
import { placedMessage } from "../../ground/core/policy.ts";
import { firstWords, plural } from "../../ground/core/text.ts";
import { localDay } from "../../ground/core/time.ts";
import type { OwnWords } from "../../ground/redaction/own-words.ts";
import { type Extractor, limitsFile, readLogLimits } from "../consent/limits.ts";
import { ownFirst } from "../kinds/event.ts";
import {
  type Extracted,
  extract,
  type Given,
  givenIn,
  type LessonsAbout,
  noteGiven,
  partOf,
  type SessionPart,
} from "../notes/extractor.ts";
import type { UncheckedNote } from "../notes/note.ts";
import { sessionsNow } from "../projections/sessions.ts";
import { openLog, type SessionCommandContext } from "./project-log.ts";

/** A daily limit with fewer tokens left ends a run. */
const LEAST_TOKENS = 1_000;

/**
 * Passes the unread sessions to the user's extractor, the newest first, until a daily limit is reached.
 * @param agrees whether the user has agreed with `--yes`. @param words the current never-store words, which may be newer than the session.
 * @returns the notes of each session. Save them before asking for the next, because the session then counts as read.
 * @throws SentinelError `bad_argument` if no extractor is configured or there's no terminal to ask. `over_limit`, `extractor_failed`,
 * `not_recorded`.
 */
export async function* askExtractor(
  context: SessionCommandContext,
  agrees: boolean,
  words: OwnWords,
  lessonsAbout: LessonsAbout,
): AsyncGenerator<readonly UncheckedNote[]> {
  const { terminal, project } = context;
  const { store, folder } = await openLog(context);
  const extractor = await configuredExtractor(project.folder);
  const now = Date.now();
  const before = givenIn(folder, localDay(now));
  mustHaveLeft(extractor, before);
  const open = (await sessionsNow(store, now)).filter(({ end }) => end !== "still running");
  const unread = ownFirst(open).filter(({ session }) => !before.sessions.includes(session));
  if (unread.length === 0) {
    terminal.note("The extractor has read every session that is over.");
  }
  for (const [index, { session }] of unread.entries()) {
    const given = givenIn(folder, localDay(now));
    const left = extractor.tokensADay - given.tokens;
    if (index > 0 && (given.runs >= extractor.runsADay || left < LEAST_TOKENS)) {
      terminal.note(`Left for another day: ${plural(unread.length - index, "session")}.`);
      return;
    }
    const part = await partOf(store, session, left, words, lessonsAbout);
    if (!(await isAgreed(context, part, extractor, given, agrees))) {
      return;
    }
    const agreed = extractor.command.join(" ");
    const taken = { ...given, agreed, runs: given.runs + 1, tokens: given.tokens + part.tokens };
    await noteGiven(folder, taken);
    const answer = await extract(part, extractor);
    tellAnswer(context, part, answer);
    yield answer.notes;
    await noteGiven(folder, { ...taken, sessions: [...given.sessions, session] });
  }
}

async function configuredExtractor(folder: string): Promise<Extractor> {
  const { extractor, problems } = await readLogLimits(folder);
  if (extractor) {
    return extractor;
  }
  const [problem] = problems;
  if (problem) {
    throw new SentinelError("bad_argument", placedMessage(problem), problem.fix);
  }
  const fix = `Name one in ${limitsFile(folder)}, as in "extractor: [claude, -p]"; docs/review.md describes its input.`;
  throw new SentinelError("bad_argument", "Your settings name no extractor.", fix);
}

/** @throws SentinelError `over_limit`. */
function mustHaveLeft({ runsADay, tokensADay }: Extractor, given: Given): void {
  if (given.runs < runsADay && given.tokens < tokensADay) {
    return;
  }
  const what = `The extractor had ${plural(given.runs, "run")} and ${given.tokens} tokens today.`;
  const fix =
    "Wait until tomorrow, or raise extractor_runs_a_day or extractor_tokens_a_day in your record.yaml.";
  throw new SentinelError("over_limit", what, fix);
}

/** Asks once for each command in a project. */
async function isAgreed(
  { terminal }: SessionCommandContext,
  part: SessionPart,
  { command, tokensADay }: Extractor,
  given: Given,
  agrees: boolean,
): Promise<boolean> {
  const agreed = command.join(" ");
  if (given.agreed === agreed) {
    return true;
  }
  const what = `"${agreed}" gets ${part.tokens} tokens of session ${part.session} on its standard input, and may send them to others.`;
  terminal.note(
    `${what} It also gets the other sessions that are over, and the project's lessons on their topics. Recognised secrets, private passages and never-store words are removed first. It may use ${tokensADay} tokens a day.`,
  );
  return agrees || terminal.mustConfirm("Agree to that for this project?", what);
}

function tellAnswer(
  { terminal }: SessionCommandContext,
  part: SessionPart,
  { left }: Extracted,
): void {
  terminal.note(`Read: ${part.tokens} tokens of session ${part.session}.`);
  if (left.length === 0) {
    return;
  }
  terminal.note(
    `Not taken, as no lesson with its event and all fields: ${plural(left.length, "item")} of the answer.`,
  );
  for (const item of left) {
    terminal.note(`  ${firstWords(JSON.stringify(item))}`);
  }
}
