import { SentinelError } from "../../ground/core/errors.ts";
import { firstWords, plural } from "../../ground/core/text.ts";
import { localDay } from "../../ground/core/time.ts";
import type { OwnWords } from "../../ground/redaction/own-words.ts";
import { safeLine } from "../../ground/terminal/layout.ts";
import { limitsFile, readLogLimits } from "../consent/limits.ts";
import { ownFirst } from "../kinds/event.ts";
import { extract, givenIn, noteGiven, partOf } from "../notes/extractor.ts";
import type { FoundNote } from "../notes/note.ts";
import { sessionsNow } from "../projections/sessions.ts";
import { openLog, type SessionCommandContext } from "./project-log.ts";

/**
 * Passes the newest unread session to the user's extractor.
 * @param agrees whether the user has agreed with `--yes`. @param words the current never-store words, which may be newer than the session.
 * @throws SentinelError `bad_argument` if no extractor is configured or there's no terminal to ask. `over_limit`, `extractor_failed`,
 * `not_recorded`.
 */
export async function askExtractor(
  context: SessionCommandContext,
  agrees: boolean,
  words: OwnWords,
): Promise<readonly FoundNote[]> {
  const { terminal, project } = context;
  const { store, folder } = await openLog(context);
  const { extractor, problems } = await readLogLimits(project.folder);
  if (!extractor) {
    const [problem] = problems;
    if (problem) throw new SentinelError("bad_argument", problem.what, problem.fix);
    const fix = `Name one in ${limitsFile(project.folder)}, as in "extractor: [claude, -p]"; docs/review.md describes its input.`;
    throw new SentinelError("bad_argument", "Your settings name no extractor.", fix);
  }
  const { command, runsADay, tokensADay } = extractor;
  const now = Date.now();
  const given = givenIn(folder, localDay(now));
  if (given.runs >= runsADay || given.tokens >= tokensADay) {
    const what = `The extractor had ${plural(given.runs, "run")} and ${given.tokens} tokens today.`;
    const fix =
      "Wait until tomorrow, or raise extractor_runs_a_day or extractor_tokens_a_day in your record.yaml.";
    throw new SentinelError("over_limit", what, fix);
  }
  const open = (await sessionsNow(store, now)).filter(({ end }) => end !== "still running");
  const next = ownFirst(open).find(({ session }) => !given.sessions.includes(session));
  if (!next) {
    terminal.note("The extractor has read every session that is over.");
    return [];
  }
  const part = await partOf(store, next.session, tokensADay - given.tokens, words);
  const agreed = command.join(" ");
  if (given.agreed !== agreed) {
    const what = `"${agreed}" gets ${part.tokens} tokens of session ${part.session} on its standard input, and may send them to others.`;
    terminal.note(
      `${what} Recognised secrets, private passages and never-store words are removed first. It may use ${tokensADay} tokens a day.`,
    );
    if (!agrees && !(await terminal.mustConfirm("Agree to that for this project?", what)))
      return [];
  }
  const taken = { ...given, agreed, runs: given.runs + 1, tokens: given.tokens + part.tokens };
  await noteGiven(folder, taken);
  const { notes, left, untaken } = await extract(part, extractor);
  await noteGiven(folder, { ...taken, sessions: [...given.sessions, part.session] });
  terminal.note(`Read: ${part.tokens} tokens of session ${part.session}.`);
  if (untaken.length > 0)
    terminal.note(
      safeLine(
        `Left out of its lessons: ${firstWords(untaken.join(", "))}. sentinel-memory edit ID --when sets a trigger.`,
      ),
    );
  if (left.length > 0)
    terminal.note(
      `Not taken, as no lesson with its event and all fields: ${plural(left.length, "item")} of the answer.`,
    );
  for (const item of left) terminal.note(safeLine(`  ${firstWords(JSON.stringify(item))}`));
  return notes;
}
