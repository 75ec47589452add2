const COMMITS = /\bgit(?:\s+-\S+(?:\s+[^\s-]\S*)?)*?\s+commit(?=\s|$)/;
const FAILED = /^FAILED: git commit/m;

/** Whether the output of a wrapper that exited with 0 reports a failed commit. */
export function commitFailed(command: string, printed: string): boolean {
  return COMMITS.test(command) && FAILED.test(printed);
}
