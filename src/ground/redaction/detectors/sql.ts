/** Values of credential columns in `INSERT INTO users (email, password) VALUES ('…', '…')`, and lines of a `.pgpass`. */
import { isCredential } from "../assignments/is-secret.ts";
import { searchFrom } from "../search.ts";
import { type Detector, matchAt, matchesIn, type Place, type Span, spanOf } from "../span.ts";
import { isChosenOrRandom } from "../values/placeholders.ts";

const findInserts = searchFrom(
  ["insert", "replace"],
  /\b(?:insert|replace)\s+(?:or\s+\w+\s+)?into\s+[\w."`[\]]{1,120}\s{0,9}\(([^()]{3,1000})\)\s{0,9}values\s{0,9}/iy,
);
const PGPASS =
  /:(?<=(?<![^\s"'`])[^\s:#"'`{}]{1,120}:)(?:\d{4,5}|\*):[^\s:]{1,60}:[^\s:]{1,60}:([^\s"'`\\:]{4,200})(?=["'`}\]]{0,3}[ \t\r]*$)/gm;

export const findInSql: Detector = (text, landmarks, spans) => {
  for (const insert of findInserts(text, landmarks)) addValues(text, insert, spans);
  for (const { index, 0: line, 1: password = "" } of matchesIn(text, PGPASS))
    if (isChosenOrRandom(password))
      spans.push(spanOf(index + line.length - password.length, password, "password"));
};

const NEXT_ROW = /\s*(?!\s),?\s*\(/y;

function addValues(text: string, insert: RegExpExecArray, spans: Span[]): void {
  const columns = (insert[1] ?? "").split(",").map((name) => name.replace(/[\s"'`[\]]/g, ""));
  let at = insert.index + insert[0].length;
  for (;;) {
    const open = matchAt(NEXT_ROW, text, at);
    const row = open && rowAt(text, at + open[0].length);
    if (!row) return;
    at = row.end;
    if (row.items.length !== columns.length) continue;
    for (const [column, item] of row.items.entries()) {
      const span = secretIn(text, item, columns[column] ?? "");
      if (span) spans.push(span);
    }
  }
}

/** A string, also with its type, or one that a function hashes. */
const STRING =
  /^(?:[\w.]{0,20}crypt\w{0,10}\(\s?)?[eEnN]?(?:'((?:[^'\\]|''|\\.)*)'|"([^"]*)")(?:::[\w ]+|,.*\))?$/s;

function secretIn(text: string, { start, end }: Place, column: string): Span | undefined {
  const [, single, double] = STRING.exec(text.slice(start, end).trim()) ?? [];
  const value = single ?? double;
  if (!value || !isCredential(column, value)) return undefined;
  return spanOf(text.indexOf(value, start), value, "column");
}

/** An item of a row with the comma or bracket after it: strings of any dialect, brackets, comments and other text. No two parts begin alike, so that time is linear. */
const ITEM =
  /(?:'(?:[^'\\]|\\'(?!\s{0,9}[,)])|\\(?!'))*'|"(?:[^"\\]|\\.)*"|\((?:[^()']|'[^']*'|\([^()]*\))*\)|\[[^\]]*\]|\/\*[^*]{0,400}\*\/|\/(?!\*)|\$(\w{0,20})\$[^$]*\$\1\$|\$(?!\w{0,20}\$)|[^'"()[,/$])*[,)]/sy;
const LONGEST_ROW = 2000;

interface Row {
  readonly items: readonly Place[];
  readonly end: number;
}

/** The items of a row. @param from the place after its opening bracket. @returns undefined if it doesn't close. */
function rowAt(text: string, from: number): Row | undefined {
  const row = text.slice(from, from + LONGEST_ROW);
  const items: Place[] = [];
  let end = 0;
  do {
    const item = matchAt(ITEM, row, end)?.[0];
    if (item === undefined) return undefined;
    items.push({ start: from + end, end: from + end + item.length - 1 });
    end += item.length;
  } while (row.charAt(end - 1) === ",");
  return { items, end: from + end };
}
