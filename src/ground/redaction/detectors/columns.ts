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

/** The head of a table with the columns of its secrets. */
interface Table {
  readonly format: Format;
  readonly head: readonly Place[];
  /** Indices in the head. */
  readonly secretColumns: readonly number[];
}

export const findColumns: Detector = (text, landmarks, spans) => {
  let past = 0;
  for (const index of named(landmarks)) {
    if (index < past) {
      continue;
    }
    const line = { start: text.lastIndexOf("\n", index) + 1, end: endOfLine(text, index) };
    past = line.end;
    const table = line.end - line.start <= LONGEST_HEAD ? tableAt(text, line) : undefined;
    if (table) {
      past = addValues(text, line.end + 1, table, spans);
    }
  }
};

function tableAt(text: string, line: Place): Table | undefined {
  const written = text.slice(line.start, line.end);
  for (const format of FORMATS) {
    if (!format.mayBe(written)) {
      continue;
    }
    const head = withoutLead(text, format.cells(text, line));
    const secretColumns = head.every((cell) => isName(text, cell)) ? columnsOf(text, head) : [];
    if (secretColumns.length > 0) {
      return { format, head, secretColumns };
    }
  }
  return undefined;
}

function withoutLead(text: string, [first, ...others]: readonly Place[]): Place[] {
  if (!first) {
    return [];
  }
  const lead = LEAD.exec(text.slice(first.start, first.end))?.[0].length ?? 0;
  return [{ start: first.start + lead, end: first.end }, ...others];
}

const isName = (text: string, { start, end }: Place): boolean =>
  HEAD_CELL.test(text.slice(start, end));

function columnsOf(text: string, head: readonly Place[]): number[] {
  const names = head.map(({ start, end }) => text.slice(start, end));
  // `| a | b |` begins and ends with an empty cell. A line of code that ends with a comma isn't a head.
  const named = names.filter((name) => name !== "").length;
  if (named < Math.max(2, names.length - 2)) {
    return [];
  }
  return [...names.keys()].filter((column) => NAME.test(names[column] ?? ""));
}

/** Adds the values of the secret columns. @returns the end of the table. */
function addValues(text: string, from: number, table: Table, spans: Span[]): number {
  let start = from;
  for (let row = 0; row < MOST_ROWS && start < text.length; row++) {
    const line = { start, end: endOfLine(text, start) };
    if (!isRule(text, line)) {
      const cells = cellsOf(text, line, table);
      if (!cells) {
        break;
      }
      for (const column of table.secretColumns) {
        const cell = cells[column];
        if (cell && isValue(text.slice(cell.start, cell.end))) {
          spans.push({ ...cell, kind: "column" });
        }
      }
    }
    start = line.end + 1;
  }
  return start;
}

const isRule = (text: string, { start, end }: Place): boolean =>
  RULE.test(text.slice(start, Math.min(end, start + 400)));

/** The cells of a row, or undefined if it isn't part of the table. */
function cellsOf(text: string, line: Place, { format, head }: Table): Place[] | undefined {
  if (line.end - line.start > LONGEST_ROW) {
    return undefined;
  }
  const cells = format.cells(text, line, head);
  return cells.length === head.length ? cells : undefined;
}

/** A chosen or generated value. A word, a type or a rule describes the column instead. */
const isValue = (value: string): boolean =>
  value.length >= 6 && !/\s/.test(value) && isChosenOrRandom(value);

interface Format {
  /** A quick check of the head. */
  readonly mayBe: (line: string) => boolean;
  /** The cells of a line. @param head the cells of the first line, for a later one. */
  readonly cells: (text: string, line: Place, head?: readonly Place[]) => Place[];
}

/** A separator between columns other than a single blank. */
const GAP = /[^\S ]|\s{2}/;
const FORMATS: readonly Format[] = [
  ...["|", "\t", ",", ";"].map((separator) => ({
    mayBe: (line: string) => line.includes(separator),
    cells: (text: string, line: Place) => separatedCells(text, line, separator),
  })),
  { mayBe: (line) => GAP.test(line) && /[A-Z]/.test(line), cells: alignedCells },
];

function separatedCells(text: string, line: Place, separator: string): Place[] {
  const cells: Place[] = [];
  let from = line.start;
  for (const cell of text.slice(line.start, line.end).split(separator)) {
    cells.push(trimmed(text, from, from + cell.length));
    from += cell.length + 1;
  }
  return cells;
}

/** Columns with two blanks between, as `kubectl` prints them. A value is below its name. */
function alignedCells(text: string, line: Place, head?: readonly Place[]): Place[] {
  const written = text.slice(line.start, line.end);
  const cells = matchesIn(written, /\S+(?: \S+)*/g).map(({ index, 0: cell }) => ({
    start: line.start + index,
    end: line.start + index + cell.length,
  }));
  if (!head) {
    return cells.length > 1 ? cells : [];
  }
  const shift = (head[0]?.start ?? 0) - line.start;
  const below: Place[] = [];
  for (const name of head) {
    const cell = cells.find(({ start }) => Math.abs(start + shift - name.start) < 2);
    if (!cell) {
      return cells;
    }
    below.push(cell);
  }
  return below;
}

const EDGE = /[\s"'`*]/;

/** Removes blanks and quotes at both ends. */
function trimmed(text: string, from: number, to: number): Place {
  let start = from;
  let end = to;
  while (start < end && EDGE.test(text.charAt(start))) {
    start++;
  }
  while (end > start && EDGE.test(text.charAt(end - 1))) {
    end--;
  }
  return { start, end };
}
