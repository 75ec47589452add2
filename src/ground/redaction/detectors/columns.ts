/** Tables whose head calls a column a password, a token or a key: CSV, psql, Markdown, and columns set apart by blanks. */

import { headsOf, literals } from "../search/literals.ts";
import { type Detector, endOfLine, matchesIn, type Place, type Span } from "../span.ts";
import { isChosenOrRandom } from "../values/placeholders.ts";

/** What the head of such a column is called. */
const NAME =
  /^(?:[\w-]{1,24}[ _.-])?(?:password|passwd|pwd|pass|passphrase|psk|secret|token|api[ _-]?key|(?:access|secret|private|client|signing|license|auth)[ _-]?(?:key|token|secret)|credentials?|비밀번호|암호|토큰|密码|密碼|令牌|パスワード|トークン)$/i;
const named = literals(
  headsOf(
    "pass|pwd|psk|secret|token|key|credential|비밀번호|암호|토큰|密码|密碼|令牌|パスワード|トークン".split(
      "|",
    ),
  ),
);
/** What sets columns apart that no other separator does. */
const APART = /[^\S ]|\s{2}/;
/** A table's head holds only names. */
const HEAD_CELL = /^[\p{L}\d_ ./#-]{0,40}$/u;
const RULE = /^[\s|+:=-]+$/;
const MOST_ROWS = 10_000;
const LONGEST_HEAD = 2000;

export const findColumns: Detector = (text, landmarks, spans) => {
  let past = 0;
  for (const { start: index } of named(landmarks)) {
    if (index < past) continue;
    const start = text.lastIndexOf("\n", index) + 1;
    past = endOfLine(text, index);
    if (past - start > LONGEST_HEAD) continue;
    const line = text.slice(start, past);
    for (const { split, mayPart } of SPLITS) {
      if (!mayPart(line)) continue;
      const cells = split(text, start, past);
      if (!cells.slice(1).every((cell) => isName(text, cell))) continue;
      const head = withoutLead(text, cells);
      const columns = secretColumns(text, head);
      if (columns.length === 0) continue;
      past = valuesBelow(text, past + 1, split, head, columns, spans);
      break;
    }
  }
};

/** In a log or in JSON something may stand before the first name. */
function withoutLead(text: string, [first, ...others]: readonly Place[]): Place[] {
  if (!first) return [];
  const lead = /^.*[^\p{L}\d_ ./#-]\s*/u.exec(text.slice(first.start, first.end))?.[0].length ?? 0;
  return [{ start: first.start + lead, end: first.end }, ...others];
}

type Split = (text: string, start: number, end: number, head?: readonly Place[]) => Place[];

const isName = (text: string, { start, end }: Place): boolean =>
  HEAD_CELL.test(text.slice(start, end));

function secretColumns(text: string, head: readonly Place[]): number[] {
  if (head.length < 2) return [];
  if (!isName(text, head[0] as Place)) return [];
  const names = head.map(({ start, end }) => text.slice(start, end));
  // `| a | b |` begins and ends with nothing; a line of code that ends with a comma is not a head
  if (names.filter((name) => name !== "").length < Math.max(2, names.length - 2)) return [];
  return names.flatMap((name, i) => (NAME.test(name) ? [i] : []));
}

/** Adds the values of these columns to `spans`. @returns where the table ends. */
function valuesBelow(
  text: string,
  from: number,
  split: Split,
  head: readonly Place[],
  columns: readonly number[],
  spans: Span[],
): number {
  let start = from;
  for (let row = 0; row < MOST_ROWS && start < text.length; row++) {
    const end = endOfLine(text, start);
    const isRule = RULE.test(text.slice(start, Math.min(end, start + 400)));
    const cells = isRule || end - start > 4000 ? [] : split(text, start, end, head);
    if (!isRule && cells.length !== head.length) break;
    for (const column of columns) {
      const cell = cells[column];
      if (cell && isValue(text.slice(cell.start, cell.end)))
        spans.push({ ...cell, kind: "column" });
    }
    start = end + 1;
  }
  return start;
}

/** A value that somebody chose or generated; a word, a type or a rule describes the column instead. */
const isValue = (value: string): boolean =>
  value.length >= 6 && !/\s/.test(value) && isChosenOrRandom(value);

function splitter(separator: string): Split {
  return (text, start, end) => {
    const cells: Place[] = [];
    let from = start;
    for (
      let i = text.indexOf(separator, start);
      i >= 0 && i < end;
      i = text.indexOf(separator, from)
    ) {
      cells.push(trimmed(text, from, i));
      from = i + 1;
    }
    cells.push(trimmed(text, from, end));
    return cells;
  };
}

/** Columns two blanks apart, as `kubectl` prints them: a value stands below its name. */
const byBlanks: Split = (text, start, end, head) => {
  const cells = matchesIn(text.slice(start, end), /\S+(?: \S+)*/g).map(({ index, 0: cell }) => ({
    start: start + index,
    end: start + index + cell.length,
  }));
  if (!head) return cells.length > 1 ? cells : [];
  const shift = (head[0]?.start ?? 0) - start;
  const below = head.map((name) =>
    cells.find((cell) => Math.abs(cell.start + shift - name.start) < 2),
  );
  if (below.every((cell) => cell !== undefined)) return below as Place[];
  return cells.length === head.length ? cells : [];
};

const SPLITS: readonly { split: Split; mayPart: (line: string) => boolean }[] = [
  ...["|", "\t", ",", ";"].map((separator) => ({
    split: splitter(separator),
    mayPart: (line: string) => line.includes(separator),
  })),
  { split: byBlanks, mayPart: (line) => APART.test(line) && /[A-Z]/.test(line) },
];

const EDGE = /[\s"'`*]/;

/** Without blanks and quotes. */
function trimmed(text: string, from: number, to: number): Place {
  let [start, end] = [from, to];
  while (start < end && EDGE.test(text.charAt(start))) start++;
  while (end > start && EDGE.test(text.charAt(end - 1))) end--;
  return { start, end };
}
