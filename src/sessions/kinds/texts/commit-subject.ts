/** Commits whose hash no output names, as behind a wrapper that shortens what git prints. Pure. */

const COMMITS = /\bgit(?:\s+-\S+(?:\s+[^\s-]\S*)?)*?\s+commit(?=\s|$)/;
const FAILED = /^FAILED: git commit/m;
const NO_COMMIT = /--dry-run|^nothing (?:added )?to commit|^no changes added to commit/m;
const SUBJECT = /\s-\w*m\s*(?:"\$\(cat <<-?\s*['"]?\w+['"]?\n\s*([^\n]+)|"([^"\n]+)|'([^'\n]+))/;

/** The subject of what a command committed; empty where it does not say it, undefined where nothing was committed. @param printed its answer. */
export function subjectOfCommit(command: string, printed: string): string | undefined {
  if (!COMMITS.test(command) || [command, printed].some((said) => NO_COMMIT.test(said)))
    return undefined;
  if (FAILED.test(printed)) return undefined;
  return (SUBJECT.exec(command)?.slice(1).find(Boolean) ?? "").trim();
}

/** Whether a wrapper that ended well printed that its commit failed. */
export function commitFailed(command: string, printed: string): boolean {
  return COMMITS.test(command) && FAILED.test(printed);
}
