/** The work of a session since its last log, as a `when` that log_memory offers for a lesson without one. */
import { tryOr } from "../../ground/core/errors.ts";
import { DAY_MS } from "../../ground/core/time.ts";
import { hasBraces, isEmptyWhen, type When, whenTooLarge, whenWith } from "../format/when.ts";
import { whenText } from "../format/when-text.ts";
import { readSessions, type Session } from "./session-file.ts";
import { plainName } from "./situation.ts";

/** The most files in an offered `when`. More files belong to a task, not to a lesson. */
const MOST_PATHS = 3;

/** The `when` of the newest session that edited files or had a failed command. @param now in ms since 1970. */
export function unloggedWork(localFolder: string, now: number): string | undefined {
  const whens = Object.values(tryOr(() => readSessions(localFolder), {}))
    .filter(({ at }) => now - at < DAY_MS)
    .sort((a, b) => b.at - a.at)
    .map(whenOfWork);
  return whens.find((when) => when !== "");
}

function whenOfWork({ edited, failed }: Session): string {
  const paths = edited.filter(isUsablePath).slice(-MOST_PATHS);
  const when: When = whenWith({
    paths,
    commands: failed?.command ? [failed.command] : [],
    errors: failed?.error ? [failed.error] : [],
  });
  return isEmptyWhen(when) || whenTooLarge(when) ? "" : whenText(when);
}

/** A comma would split the path in two, and a name with odd characters could look like one of our lines. */
const isUsablePath = (path: string): boolean =>
  !hasBraces(path) && !/[,，、*?]/.test(path) && plainName(path) === path;
