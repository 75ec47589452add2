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
  for (const insert of findInserts(text, landmarks)) {
    addValues(text, insert, spans);
  }
  for (const { index, 0: line, 1: password = "" } of matchesIn(text, PGPASS)) {
    if (isChosenOrRandom(password)) {
      spans.push(spanOf(index + line.length - password.length, password, "password"));
    }
  }
};

const NEXT_ROW = /\s*(?!\s),?\s*\(/y;

function addValues(text: string, insert: RegExpExecArray, spans: Span[]): void {
  const columns = (insert[1] ?? "").split(",").map((name) => name.replace(/[\s"'`[\]]/g, ""));
  let at = insert.index + insert[0].length;
  for (;;) {
    const open = matchAt(NEXT_ROW, text, at);
    const row = open && rowAt(text, at + open[0].length);
    if (!row) {
      return;
    }
    at = row.end;
    if (row.items.length !== columns.length) {
      continue;
    }
    for (const [column, item] of row.items.entries()) {
      const span = secretIn(text, item, columns[column] ?? "");
      if (span) {
        spans.push(span);
      }
    }
  }
}

/** A string, also with its type, or one that a function hashes. */
const STRING =
  /^(?:[\w.]{0,20}crypt\w{0,10}\(\s?)?[eEnN]?(?:'((?:[^'\\]|''|\\.)*)'|"([^"]*)")(?:::[\w ]+|,.*\))?$/s;

function secretIn(text: string, { start, end }: Place, column: string): Span | undefined {
  const item = text.slice(start, end);
  const [, single, double] = STRING.exec(item) ?? [];
  const value = single ?? double;
  if (!value || !isCredential(column, value)) {
    return undefined;
  }
  return spanOf(start + item.indexOf(value), value, "column");
}

/** A part of a row: a string in the quotes of any dialect, a comment, a bracket, a comma, or other text. */
const PART =
  /[eEnN]?'(?:[^'\\]|''|\\'(?!\s{0,9}[,)])|\\(?!')){0,2000}'|"(?:[^"\\]|\\.){0,2000}"|\$(\w{0,20})\$[^$]{0,2000}\$\1\$|\/\*[^*]{0,400}\*\/|[^\s'"$/(),[\]{}]+|[\s$/]|[()[\]{},]/y;
const LONGEST_ROW = 2000;

interface Row {
  readonly items: readonly Place[];
  readonly end: number;
}

/** The items of a row. @param from the place after its opening bracket. @returns undefined if it doesn't close. */
function rowAt(text: string, from: number): Row | undefined {
  const items: Place[] = [];
  let depth = 0;
  let item: Place | undefined;
  for (const { start, end } of partsFrom(text, from)) {
    const part = text.slice(start, end);
    if (depth === 0 && /^[,)]$/.test(part)) {
      items.push(item ?? { start, end: start });
      if (part === ")") {
        return { items, end };
      }
      item = undefined;
    } else {
      depth += depthOf(part);
      const isSpace = /^(?:\s|\/\*)/.test(part);
      if (!isSpace) {
        item = { start: item?.start ?? start, end };
      }
    }
  }
  return undefined;
}

function* partsFrom(text: string, from: number): Generator<Place> {
  let start = from;
  while (start - from < LONGEST_ROW) {
    const part = matchAt(PART, text, start)?.[0];
    if (part === undefined) {
      return;
    }
    yield { start, end: start + part.length };
    start += part.length;
  }
}

function depthOf(part: string): number {
  if (/^[([{]$/.test(part)) {
    return 1;
  }
  return /^[)\]}]$/.test(part) ? -1 : 0;
}
