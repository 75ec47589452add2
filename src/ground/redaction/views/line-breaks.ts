/** Secrets that were broken over lines by a wrapped mail, a quoted log or a shell continuation. */
import { matchAt, merge, type Span, touching } from "../span.ts";
import { isDigest, looksRandom } from "../values/shape.ts";
import { type Edit, rewrite, type View } from "./view.ts";

/** A line's last token, then a quote and the mark of a continued line, read backwards from the end of the line. */
const LAST_TOKEN = /(?<=([\w+/=.~-]{0,72})(["']?[ \t]*[\\+]?\r?))/y;
const LONGEST_LINE = 2000;
/** The most lines of one broken token. More lines are a file in base64, and only its beginning can belong to a token. */
const MOST_LINES = 40;

/** A view of the text with broken tokens joined. @returns undefined if no token may be broken. */
export function unwrappedView(text: string): View | undefined {
  const joints: Edit[] = [];
  let start = 0;
  let wholeLines = 0; // consecutive lines up to this one that are one token each
  for (let lineEnd = text.indexOf("\n"); lineEnd >= 0; lineEnd = text.indexOf("\n", start)) {
    const tokenEnd = endOfLastToken(text, lineEnd);
    const isWhole = tokenEnd !== undefined && isOneToken(text, start, tokenEnd);
    wholeLines = isWhole ? wholeLines + 1 : 0;
    if (tokenEnd !== undefined && wholeLines <= MOST_LINES) {
      const next = startOfRest(text, lineEnd + 1);
      if (next !== undefined) joints.push({ start: tokenEnd, end: next, reads: "" });
    }
    start = lineEnd + 1;
  }
  return rewrite(text, joints);
}

/** The end of a token that may continue after this line. @returns undefined without one. Words, paths and times aren't tokens. */
function endOfLastToken(text: string, lineEnd: number): number | undefined {
  const [, token = "", continuation = ""] = matchAt(LAST_TOKEN, text, lineEnd) ?? [];
  const end = lineEnd - continuation.length;
  return isPartOfToken(token) && !/\/.*\.[a-z]{1,4}$/.test(token) ? end : undefined;
}

/** An indent and a token. */
const ONLY_TOKEN = /^[ \t>#*|"']*[\w+/=.~-]*$/;

/** Whether a line contains only a token and an indent. */
function isOneToken(text: string, line: number, end: number): boolean {
  return end - line <= LONGEST_LINE && ONLY_TOKEN.test(text.slice(line, end));
}

/** An indent, a quote or a comment mark before a token. A line that begins with a name continues no other line. */
const NEXT_LINE =
  /[ \t>#*|"'+]{0,99}(?=[A-Za-z0-9_+/=-])(?!(?:export )?[\w.-]{1,80}["']?(?:[ \t]?:[ \t]|[ \t]?={1,2}[ \t]?[^\s=]|(?<=_\w{0,80})=\s))/y;
const TIME_OR_DIGEST = /^(?:\d{4}-\d\d-\d\d|(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$)/;

/** The start of the rest of a token in the next line. */
function startOfRest(text: string, line: number): number | undefined {
  const indent = matchAt(NEXT_LINE, text, line)?.[0];
  if (indent === undefined) return undefined;
  const start = line + indent.length;
  const rest = /^[\w+/=.~-]{1,60}/.exec(text.slice(start, start + 60))?.[0] ?? "";
  return isPartOfToken(rest) && !TIME_OR_DIGEST.test(rest) ? start : undefined;
}

function isPartOfToken(token: string): boolean {
  return token.length >= 4 && (token.length > 20 || /\d/.test(token) || /[a-z][A-Z]/.test(token));
}

/** Kinds that only the words around a secret reveal. Across a line break those words prove nothing. */
const GUESSES: ReadonlySet<string> = new Set([
  "password",
  "secret",
  "token",
  "api-key",
  "session-cookie",
  "authorization",
]);

/**
 * The secrets that appear only in the unwrapped view.
 * @param found in the text itself. @param shown in the view, as spans of the text with all their lines.
 */
export function acrossLines(text: string, found: readonly Span[], shown: readonly Span[]): Span[] {
  const isKnown = touching(merge(found));
  const spans: Span[] = [];
  for (const span of shown) {
    const lines = text.slice(span.start, span.end).split("\n");
    const own = isKnown(span.start, span.end) ? continuation(lines) : wholeShape(lines, span.kind);
    if (own.length > 1) spans.push({ ...span, end: span.start + own.join("\n").length });
  }
  return spans;
}

/** If the first line was found as well, each further line must look random. Otherwise the next word would be redacted too. */
function continuation(lines: readonly string[]): readonly string[] {
  const stop = lines.findIndex((line, i) => i > 0 && !looksGenerated(line));
  return stop < 0 ? lines : lines.slice(0, stop);
}

/** If only the whole is a token, it may include one word of the next line. */
function wholeShape(lines: readonly string[], kind: string): readonly string[] {
  if (GUESSES.has(kind)) return [];
  const isOwn = (line = "") => /\d/.test(line) || looksGenerated(line);
  const own = isOwn(lines.at(-1)) ? lines : lines.slice(0, -1);
  return isOwn(own.at(-1)) ? own : [];
}

/** A commit on its own line isn't part of a token. */
function looksGenerated(line: string): boolean {
  const piece = line.replace(/^[^A-Za-z0-9]+/, "");
  return looksRandom(piece, 6) && !(isDigest(piece) && [32, 40, 64].includes(piece.length));
}
