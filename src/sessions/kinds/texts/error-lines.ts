/** Finds the lines of a tool's output that explain a failure. The test has a sample of each form. Pure. */
import { oneLine } from "../../../ground/core/text.ts";

/** Terminal colours, including those whose escape character `oneLine` has replaced. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with one.
const COLOURS = /[\u001b\ufffd]\[[\d;]*m/g;
/** Marks and frames before a message. */
const FRAME = /^[│╷›✘✖×⨯❌!\s]+(?=\S)/;
/** Programs, files and places before a message: "psql: ", "MSBUILD : ", "x.targets(120,5): ", "bash: line 1: ". */
const FROM = String.raw`(?:(?:(?:[a-z]:)?[\w./\\(),-]+|line \d+) ?: )*`;

const SAYS_WHY = [
  // "TypeError: x", "psql: error: x", "Error [ERR_X]: x", "fatal: x", "java.lang.IllegalStateException: x", "error Couldn't x"
  `^${FROM}[\\w.]*(?:error|exception|exceptions?\\.\\w+|fatal|panic)(?=[:\\s[(!]|$)`,
  // "Usage Error: x", "rsync error: x", "bash: -c: line 1: syntax error near x"
  `^${FROM}(?!no |last )(?:[a-z]+ error:|syntax error )`,
  // "Uncaught (in promise) TypeError: x", "Unhandled exception. System.X: x", "PHP Fatal error: x", "CMake Error at x"
  "^(?:uncaught|unhandled) (?:\\(in promise\\) )?[\\w.]*(?:error|exception)\\b|^(?:php fatal|cmake) error ?",
  // "npm error 403 x", " ERR_PNPM_FETCH_404  x", "➤ YN0028: x", "E: Unable to x", "[ERROR] x", "(error) NOAUTH x"
  "^npm (?:error|err!) \\S|\\bERR_PNPM_\\w+|^➤ YN00(?:01|16|18|28|35|41|82):|^E: |^\\[(?:error|fatal)\\] \\S|^\\(error\\) ",
  // "Cannot connect to x", "curl: (6) Could not resolve x", "Failed to restart x", "An error occurred (AccessDenied) x"
  `^${FROM}(?:\\(\\d+\\) )?(?:unable to|failed to|could not|couldn't|cannot|can't) \\w|: cannot |^curl: \\(\\d+\\) `,
  "^an error occurred \\(|^go: .*(?:not found|no matching version|requires go|unknown revision|invalid)|^HTTP [45]\\d\\d: ",
  // "make: *** No rule to make x", but not "make: *** [Makefile:2: a] Error 1", which only gives the status.
  "^\\S*make(?:\\[\\d+\\])?: \\*\\*\\* (?!\\[)|: unbound variable$",
  "(?:^|: )(?:got )?permission denied|^(?:denied|unauthorized): |^host key verification failed",
  "connection refused|was refused\\b|\\bE(?:CONNREFUSED|CONNRESET|ADDRINUSE|ACCES|PERM|TIMEDOUT|NOTFOUND)\\b",
  "^(?:\\S+: )*(?:오류|에러|错误|錯誤|エラー|Fehler|Erreur)",
].map((source) => new RegExp(source, "i"));

/** Lines that only report a failed step, repeat the source or point to more output. */
const SAYS_ONLY_THE_STATUS = [
  /exit(?:ed|ing)? (?:with )?(?:code|status)|command failed|elifecycle|lifecycle script|most recent call/i,
  /^(?:npm )?err(?:or|!):?$|^npm err(?:or|!) (?:code \d|errno|syscall|path|workspace|location|command|file|signal)\b/i,
  /^npm err(?:or|!) (?:a complete log|this is probably not|there is likely|failed at the|test failed)/i,
  /^\[error\] (?:to see the full|re-run maven|for more information|\[help|->)|error is not recoverable|^throw /i,
];

/** A line of output without colours and frames. */
export const plainLine = (line: string): string =>
  oneLine(line).replaceAll(COLOURS, "").replace(FRAME, "").trim();

/** @param line from `plainLine`. */
export const saysOnlyTheStatus = (line: string): boolean =>
  SAYS_ONLY_THE_STATUS.some((form) => form.test(line));

/** @param line from `plainLine`. */
export const saysWhy = (line: string): boolean =>
  !saysOnlyTheStatus(line) && SAYS_WHY.some((form) => form.test(line));
