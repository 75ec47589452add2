/**
 * Views of a text as another program would read it: decoded, or with broken lines joined (docs/design/ground.md, "Redaction").
 * Detectors read a view, and its changes lead back to the text.
 */
import { lowerBound } from "../core/collections.ts";
import { runsOf } from "./search.ts";
import {
  endOfLine,
  type Landmarks,
  matchesIn,
  merge,
  type Place,
  type Span,
  touching,
} from "./span.ts";
import { isDigest, looksRandom } from "./values/shape.ts";

export interface View {
  readonly text: string;
  readonly changes: readonly Change[];
}

/** A part of the text that reads differently. */
interface Edit extends Place {
  readonly reads: string;
}

interface Change extends Place {
  /** The first character in the view, and one past the last. */
  readonly at: number;
  readonly until: number;
}

/** The characters before the first edit and after the last one that are part of a view, with their lines. */
const AROUND = 2000;

/** Applies edits to a text. @param edits in order. @returns undefined without edits. */
function rewrite(text: string, edits: readonly Edit[]): View | undefined {
  const first = edits[0];
  const last = edits.at(-1);
  if (!first || !last) {
    return undefined;
  }
  let from = Math.max(0, text.lastIndexOf("\n", first.start - AROUND));
  const changes: Change[] = [{ start: from, end: from, at: 0, until: 0 }];
  let view = "";
  for (const { start, end, reads } of edits) {
    view += text.slice(from, start);
    changes.push({ start, end, at: view.length, until: view.length + reads.length });
    view += reads;
    from = end;
  }
  return { text: view + text.slice(from, endOfLine(text, last.end + AROUND)), changes };
}

/** Maps spans of a view to the text. */
export function inOriginal(view: View, found: readonly Span[]): Span[] {
  return found
    .filter(({ start, end }) => end > start)
    .map(({ start, end, kind }) => ({
      start: originOf(view, start).start,
      end: originOf(view, end - 1).end,
      kind,
    }));
}

/** The part of the text that a character of the view comes from. */
function originOf({ changes }: View, position: number): Place {
  const after = lowerBound(0, changes.length, (i) => (changes[i] as Change).at > position);
  const change = changes[after - 1] as Change;
  const isCopied = position >= change.until;
  // Only full-width characters are replaced one by one, and a secret can begin within their run.
  const isOneByOne = change.until - change.at === change.end - change.start;
  if (!isCopied && !isOneByOne) {
    return change;
  }
  const start = change.end + position - change.until;
  return { start, end: start + 1 };
}

/** Terminal colors, soft hyphens, joiners, direction marks and byte order marks, which take no room. */
const UNSEEN = "\u001b\\[[\\d;:?]{0,40}[A-Za-z]|[\u00ad\u200b-\u200f\u2060\ufeff]{1,500}";
const IN_URL = "%(?<percent>[0-9A-Fa-f]{2})";
const IN_HTML =
  "&(?:#(?<decimal>\\d{1,6})|#[xX](?<hex>[0-9a-fA-F]{1,5})|(?<name>amp|lt|gt|quot|apos|nbsp|AMP|LT|GT|QUOT));";
/** Escapes in JSON and source code, with any number of backslashes. */
const IN_CODE =
  "(?<!\\\\)\\\\+(?:u(?<unicode>[0-9a-fA-F]{4})|x(?<byte>[0-9a-fA-F]{2})|\\r?\\n[ \\t]*|(?<letter>[nrt\"'/]))";
/** ｐａｓｓｗｏｒｄ＝…, but not the full-width commas and colons of Chinese and Japanese sentences. */
const FULL_WIDTH = "(?<wide>(?:[０-９Ａ-Ｚ＿ａ-ｚ]|(?<=[\u3000！-～])[\u3000！-～]){1,500})";
const FORMS = [UNSEEN, IN_URL, IN_HTML, IN_CODE, FULL_WIDTH];
const EACH_FORM = FORMS.map((form) => new RegExp(form, "g"));
const ANY_FORM = new RegExp(FORMS.join("|"), "g");

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  n: "\n",
  r: "\r",
  t: "\t",
};

/**
 * The views of a text with its escapes, entities, colors and invisible characters decoded. Most texts have none. Each form is decoded
 * alone, because a secret can contain signs that another form would decode, and together, because a text can be encoded twice.
 */
export function decodedViews(text: string): View[] {
  const views: View[] = [];
  for (const form of EACH_FORM) {
    const view = rewrite(text, editsIn(text, form));
    if (view) {
      views.push(view);
    }
  }
  const all = views.length > 1 ? rewrite(text, editsIn(text, ANY_FORM)) : undefined;
  return all ? [...views, all] : views;
}

function editsIn(text: string, form: RegExp): Edit[] {
  const edits: Edit[] = [];
  for (const { index, 0: found, groups = {} } of text.matchAll(form)) {
    edits.push({ start: index, end: index + found.length, reads: decoded(groups) });
  }
  return edits;
}

function decoded(found: Readonly<Record<string, string>>): string {
  if (found.wide) {
    return found.wide.normalize("NFKC");
  }
  const named = found.name?.toLowerCase() ?? found.letter ?? "";
  if (named in NAMED) {
    return NAMED[named] ?? "";
  }
  if (found.decimal) {
    return String.fromCharCode(Number(found.decimal));
  }
  const hex = found.percent ?? found.hex ?? found.unicode ?? found.byte;
  return hex ? String.fromCharCode(Number.parseInt(hex, 16)) : named;
}

/**
 * A line break inside a token: a quote and the mark of a continued line, then an indent, a quote or a comment mark. A line that
 * begins with a name continues no other line.
 */
const LINE_BREAK =
  /\n(?<=(?<token>[\w+/=.~-]{4,72})(?<continued>["']?[ \t]*[\\+]?\r?)\n)[ \t>#*|"'+]{0,99}(?=(?<rest>[\w+/=-][\w+/=.~-]{3,59}))(?!(?:export )?[\w.-]{1,80}["']?(?:[ \t]?:[ \t]|[ \t]?={1,2}[ \t]?[^\s=]|(?<=_\w{0,80})=\s))/g;
const FILE = /\/.*\.[a-z]{1,4}$/;
const TIME_OR_DIGEST = /^(?:\d{4}-\d\d-\d\d|(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$)/;
const ONE_TOKEN = /^[\w+/=.~-]{1,2000}$/;
/** The most lines of one broken token. More lines are a file in base64, and only its beginning can belong to a token. */
const MOST_LINES = 40;

/** A view of the text with broken tokens joined. @returns undefined if no token may be broken. */
export function unwrappedView(text: string): View | undefined {
  const joints: Edit[] = [];
  let lines = 0;
  let from = 0;
  for (const { index, 0: lineBreak, groups = {} } of matchesIn(text, LINE_BREAK)) {
    const { token = "", continued = "", rest = "" } = groups;
    const isToken = isPartOfToken(token) && !FILE.test(token);
    if (!isToken || !isPartOfToken(rest) || TIME_OR_DIGEST.test(rest)) {
      continue;
    }
    const start = index - continued.length;
    const end = index + lineBreak.length;
    lines = ONE_TOKEN.test(text.slice(from, start)) ? lines + 1 : 0;
    if (lines < MOST_LINES) {
      joints.push({ start, end, reads: "" });
    }
    from = end;
  }
  return rewrite(text, joints);
}

/** Words aren't tokens. */
function isPartOfToken(token: string): boolean {
  return token.length > 20 || /\d/.test(token) || /[a-z][A-Z]/.test(token);
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
    if (own.length > 1) {
      spans.push({ ...span, end: span.start + own.join("\n").length });
    }
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
  if (GUESSES.has(kind)) {
    return [];
  }
  const isOwn = (line = "") => /\d/.test(line) || looksGenerated(line);
  const own = isOwn(lines.at(-1)) ? lines : lines.slice(0, -1);
  return isOwn(own.at(-1)) ? own : [];
}

/** A commit on its own line isn't part of a token. */
function looksGenerated(line: string): boolean {
  const piece = line.replace(/^[^A-Za-z0-9]+/, "");
  return looksRandom(piece, 6) && !(isDigest(piece) && [32, 40, 64].includes(piece.length));
}

const RUN = /[A-Za-z0-9+/_-]{12,}/g;
const SHORTEST = 12;
const READABLE = /^[\t\n\r\x20-\x7e]+$/;
/** The node id of GitHub: the length of its type, the type and a number. */
const NODE_ID = /^0\d{1,2}:[A-Z][A-Za-z]+\d+$/;
const PAIR = /^[\w.@+-]{1,60}:[\x21-\x7e]{4,200}$/;
const PRIVATE_KEY = /^-----BEGIN [A-Z ]*PRIVATE KEY/;

/** Decodes every run of base64 that contains text. @param find searches the decoded text. */
export function findEncoded(
  text: string,
  { runs }: Landmarks,
  find: (text: string) => readonly Span[],
): Span[] {
  const spans: Span[] = [];
  for (const { start, end } of runsOf(text, runs, RUN)) {
    const base64 = text.slice(start, end);
    if (text.charAt(start - 1) === "=" || !beginsReadable(base64)) {
      continue;
    }
    const decoded = Buffer.from(base64, "base64").toString("latin1");
    if (!hidesSecret(decoded, find)) {
      continue;
    }
    const padding = /^={0,2}/.exec(text.slice(end, end + 2))?.[0] ?? "";
    spans.push({ start, end: end + padding.length, kind: "encoded-secret" });
  }
  return spans;
}

function hidesSecret(decoded: string, find: (text: string) => readonly Span[]): boolean {
  if (PRIVATE_KEY.test(decoded)) {
    return true;
  }
  const beginning = decoded.slice(0, 400);
  if (beginning.length < 8 || !READABLE.test(beginning)) {
    return false;
  }
  return isPair(decoded) || find(decoded).length > 0;
}

const isPair = (decoded: string): boolean =>
  PAIR.test(decoded.trim()) && !decoded.includes("://") && !NODE_ID.test(decoded);

/** Whether a token is base64 of plain text and nothing else. */
export function isEncodedText(token: string): boolean {
  return beginsReadable(token) && READABLE.test(Buffer.from(token, "base64").toString("latin1"));
}

/** Whether the first nine bytes are text, which settles nearly every name and digest. */
function beginsReadable(base64: string): boolean {
  return READABLE.test(Buffer.from(base64.slice(0, SHORTEST), "base64").toString("latin1"));
}
