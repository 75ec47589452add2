/** Tables with a column for passwords, tokens or keys: CSV, psql, Markdown, and columns that blanks separate. */
import { beginningsOf } from "../search.ts";
import { type Detector, endOfLine, type Place, type Span } from "../span.ts";
import { isChosenOrRandom } from "../values/placeholders.ts";

/** The name of such a column. */
const NAME =
  /^(?:[\w-]{1,24}[ _.-])?(?:password|passwd|pwd|pass|passphrase|psk|secret|token|api[ _-]?key|(?:access|secret|private|client|signing|license|auth)[ _-]?(?:key|token|secret)|credentials?|비밀번호|암호|토큰|密码|密碼|令牌|パスワード|トークン)$/i;
const BEGINNINGS =
  "pass|pwd|psk|secret|token|key|credential|비밀번호|암호|토큰|密码|密碼|令牌|パスワード|トークン";
const named = beginningsOf(BEGINNINGS.split("|"));

const SEPARATORS = ["|", "\t", ",", ";", / {2,}/];
/** A cell in the head of a table, which contains only names. */
const HEAD_CELL = /^[\p{L}\d_ ./#-]{0,40}$/u;
/** Text before the first name, as in a log or in JSON. */
const LEAD = /^.*[^\p{L}\d_ ./#-]\s*/u;
const RULE = /^[\s|+:=-]+$/;
const MOST_ROWS = 10_000;
const LONGEST_HEAD = 2000;
const LONGEST_ROW = 4000;

/** The head of a table with the columns of its secrets. */
interface Table {
  readonly separator: string | RegExp;
  /** The number of columns. */
  readonly width: number;
  /** Their indices. */
  readonly secretColumns: readonly number[];
}

export const findColumns: Detector = (text, landmarks, spans) => {
  let past = 0;
  for (const index of named(landmarks)) {
    if (index < past) continue;
    const start = text.lastIndexOf("\n", index) + 1;
    const end = endOfLine(text, index);
    past = end;
    const table = end - start <= LONGEST_HEAD ? tableWith(text.slice(start, end)) : undefined;
    if (table) past = addValues(text, end + 1, table, spans);
  }
};

/** The table with a head, or undefined if the line isn't one. */
function tableWith(line: string): Table | undefined {
  for (const separator of SEPARATORS) {
    const [first = "", ...others] = line.split(separator).map(withoutEdges);
    const head = [first.replace(LEAD, ""), ...others];
    const secretColumns = head.every((cell) => HEAD_CELL.test(cell)) ? columnsOf(head) : [];
    if (secretColumns.length > 0) return { separator, width: head.length, secretColumns };
  }
  return undefined;
}

function columnsOf(head: readonly string[]): number[] {
  // `| a | b |` begins and ends with an empty cell. A line of code that ends with a comma isn't a head.
  const named = head.filter((name) => name !== "").length;
  if (named < Math.max(2, head.length - 2)) return [];
  return [...head.keys()].filter((column) => NAME.test(head[column] ?? ""));
}

/** Adds the values of the secret columns. @returns the end of the table. */
function addValues(text: string, from: number, table: Table, spans: Span[]): number {
  let start = from;
  for (let row = 0; row < MOST_ROWS && start < text.length; row++) {
    const end = endOfLine(text, start);
    const isRule = RULE.test(text.slice(start, Math.min(end, start + 400)));
    const cells = isRule ? [] : cellsOf(text, start, end, table.separator);
    if (!isRule && cells.length !== table.width) break;
    const values = cells.filter((_, column) => table.secretColumns.includes(column));
    for (const cell of values)
      if (isValue(text.slice(cell.start, cell.end))) spans.push({ ...cell, kind: "column" });
    start = end + 1;
  }
  return start;
}

/** The cells of a line. Empty for a line that is too long for a row. */
function cellsOf(text: string, from: number, to: number, separator: string | RegExp): Place[] {
  const cells: Place[] = [];
  if (to - from > LONGEST_ROW) return cells;
  let past = from;
  for (const cell of text.slice(from, to).split(separator).map(withoutEdges)) {
    const start = text.indexOf(cell, past);
    past = start + cell.length;
    cells.push({ start, end: past });
  }
  return cells;
}

/** Removes blanks and quotes at both ends. The look-behind keeps a long run of them linear. */
const withoutEdges = (cell: string): string =>
  cell.replace(/^[\s"'`*]+|(?<![\s"'`*])[\s"'`*]+$/g, "");

/** A chosen or generated value. A word, a type or a rule describes the column instead. */
const isValue = (value: string): boolean =>
  value.length >= 6 && !/\s/.test(value) && isChosenOrRandom(value);
