/** Detects commits in output without a hash, for example from a wrapper that shortens git's output. Pure. */

const COMMITS = /\bgit(?:\s+-\S+(?:\s+[^\s-]\S*)?)*?\s+commit(?=\s|$)/;
const FAILED = /^FAILED: git commit/m;
const NO_COMMIT = /--dry-run|^nothing (?:added )?to commit|^no changes added to commit/m;
const SUBJECT = /\s-\w*m\s*(?:"\$\(cat <<-?\s*['"]?\w+['"]?\n\s*([^\n]+)|"([^"\n]+)|'([^'\n]+))/;

/** The subject of a commit, empty if the command doesn't include one. Undefined if nothing was committed. @param printed the output. */
export function subjectOfCommit(command: string, printed: string): string | undefined {
  if (!COMMITS.test(command) || [command, printed].some((said) => NO_COMMIT.test(said)))
    return undefined;
  if (FAILED.test(printed)) return undefined;
  return (SUBJECT.exec(command)?.slice(1).find(Boolean) ?? "").trim();
}

/** Whether the output of a wrapper that exited with 0 reports a failed commit. */
export function commitFailed(command: string, printed: string): boolean {
  return COMMITS.test(command) && FAILED.test(printed);
}
