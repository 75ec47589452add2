/** Tables with a column for passwords, tokens or keys: CSV, psql, Markdown, and columns that blanks separate. */
import { beginningsOf } from "../search.ts";
import { type Detector, endOfLine, matchesIn, type Place, type Span } from "../span.ts";
import { isChosenOrRandom } from "../values/placeholders.ts";

/** The name of such a column. */
const NAME =
  /^(?:[\w-]{1,24}[ _.-])?(?:password|passwd|pwd|pass|passphrase|psk|secret|token|api[ _-]?key|(?:access|secret|private|client|signing|license|auth)[ _-]?(?:key|token|secret)|credentials?|비밀번호|암호|토큰|密码|密碼|令牌|パスワード|トークン)$/i;
const BEGINNINGS =
  "pass|pwd|psk|secret|token|key|credential|비밀번호|암호|토큰|密码|密碼|令牌|パスワード|トークン";
const named = beginningsOf(BEGINNINGS.split("|"));

/** A cell in the head of a table, which contains only names. */
const HEAD_CELL = /^[\p{L}\d_ ./#-]{0,40}$/u;
/** Text before the first name, as in a log or in JSON. */
const LEAD = /^.*[^\p{L}\d_ ./#-]\s*/u;
const RULE = /^[\s|+:=-]+$/;
const MOST_ROWS = 10_000;
const LONGEST_HEAD = 2000;
const LONGEST_ROW = 4000;

/** Separators of columns. Two blanks separate them only below names in capitals, as `kubectl` prints them. */
const GAP = /\s{2,}/g;
const SEPARATORS = [/\|/g, /\t/g, /,/g, /;/g, GAP];

interface Table {
  readonly separator: RegExp;
  /** The names of the columns. */
  readonly head: readonly string[];
}

export const findColumns: Detector = (text, landmarks, spans) => {
  let past = 0;
  for (const index of named(landmarks)) {
    if (index < past) continue;
    const line = { start: text.lastIndexOf("\n", index) + 1, end: endOfLine(text, index) };
    past = line.end;
    const table = line.end - line.start <= LONGEST_HEAD ? tableAt(text, line) : undefined;
    if (table) past = addValues(text, line.end + 1, table, spans);
  }
};

function tableAt(text: string, line: Place): Table | undefined {
  const written = text.slice(line.start, line.end);
  for (const separator of SEPARATORS) {
    if (separator === GAP && !/[A-Z]/.test(written)) continue;
    const cells = cellsOf(text, line, separator);
    const [first = "", ...others] = cells.map(({ start, end }) => text.slice(start, end));
    const head = [first.replace(LEAD, ""), ...others];
    if (isHead(head)) return { separator, head };
  }
  return undefined;
}

/** `| a | b |` begins and ends with an empty cell. A line of code that ends with a comma isn't a head. */
function isHead(names: readonly string[]): boolean {
  const named = names.filter((name) => name !== "").length;
  if (named < Math.max(2, names.length - 2)) return false;
  return names.every((name) => HEAD_CELL.test(name)) && names.some((name) => NAME.test(name));
}

/** Adds the values of the secret columns. @returns the end of the table. */
function addValues(text: string, from: number, { separator, head }: Table, spans: Span[]): number {
  let start = from;
  for (let row = 0; row < MOST_ROWS && start < text.length; row++) {
    const end = endOfLine(text, start);
    if (!RULE.test(text.slice(start, Math.min(end, start + 400)))) {
      const cells = end - start <= LONGEST_ROW ? cellsOf(text, { start, end }, separator) : [];
      if (cells.length !== head.length) break;
      const secrets = cells.filter(
        (cell, column) => NAME.test(head[column] ?? "") && isValue(text, cell),
      );
      spans.push(...secrets.map((cell) => ({ ...cell, kind: "column" })));
    }
    start = end + 1;
  }
  return start;
}

/** A chosen or generated value. A word, a type or a rule describes the column instead. */
function isValue(text: string, { start, end }: Place): boolean {
  const value = text.slice(start, end);
  return value.length >= 6 && !/\s/.test(value) && isChosenOrRandom(value);
}

function cellsOf(text: string, { start, end }: Place, separator: RegExp): Place[] {
  const cells: Place[] = [];
  let from = start;
  for (const { index, 0: found } of matchesIn(text.slice(start, end), separator)) {
    cells.push(trimmed(text, from, start + index));
    from = start + index + found.length;
  }
  return [...cells, trimmed(text, from, end)];
}

const EDGE = /[\s"'`*]/;

/** Removes blanks and quotes at both ends. */
function trimmed(text: string, from: number, to: number): Place {
  let start = from;
  let end = to;
  while (start < end && EDGE.test(text.charAt(start))) start++;
  while (end > start && EDGE.test(text.charAt(end - 1))) end--;
  return { start, end };
}
