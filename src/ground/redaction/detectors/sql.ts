/** Values of credential columns in `INSERT INTO users (email, password) VALUES ('…', '…')`, and lines of a `.pgpass`. */

import { isCredential } from "../assignments/is-secret.ts";
import { searchFrom } from "../search/literals.ts";
import { type Detector, matchAt, matchesIn, type Place, type Span, spanOf } from "../span.ts";
import { isChosenOrRandom } from "../values/placeholders.ts";

const findInserts = searchFrom(
  ["insert", "replace"],
  /\b(?:insert|replace)\s+(?:or\s+\w+\s+)?into\s+[\w."`[\]]{1,120}\s{0,9}\(([^()]{3,1000})\)\s{0,9}values\s{0,9}/iy,
);
/** What stands within a row: a quoted text, what its dialect quotes otherwise, a comment, or anything else. */
const PART =
  /[eEnN]?'(?:[^'\\]|''|\\'(?!\s{0,9}[,)])|\\(?!')){0,2000}'|"(?:[^"\\]|\\.){0,2000}"|\$(\w{0,20})\$[^$]{0,2000}\$\1\$|\/\*[^*]{0,400}\*\/|[^\s'"$/(),[\]{}]+|[\s$/]|[()[\]{},]/y;
/** A text and nothing else but its type, or one that a function turns into a digest. */
const TEXT =
  /^(?:[\w.]{0,20}crypt\w{0,10}\(\s?)?[eEnN]?(?:'((?:[^'\\]|''|\\.)*)'|"([^"]*)")(?:::[\w ]+|,.*\))?$/s;
const LONGEST_ROW = 2000;
const NEXT_ROW = /\s*(?!\s),?\s*\(/y;
const PGPASS =
  /:(?<=(?<![^\s"'`])[^\s:#"'`{}]{1,120}:)(?:\d{4,5}|\*):[^\s:]{1,60}:[^\s:]{1,60}:([^\s"'`\\:]{4,200})(?=["'`}\]]{0,3}[ \t\r]*$)/gm;

export const findInSql: Detector = (text, landmarks, spans) => {
  for (const insert of findInserts(text, landmarks)) addValues(text, insert, spans);
  for (const { index, 0: line, 1: word = "" } of matchesIn(text, PGPASS))
    if (isChosenOrRandom(word))
      spans.push(spanOf(index + line.length - word.length, word, "password"));
};

function addValues(text: string, insert: RegExpExecArray, spans: Span[]): void {
  const columns = (insert[1] ?? "").split(",").map((name) => name.replace(/[\s"'`[\]]/g, ""));
  let at = insert.index + insert[0].length;
  for (;;) {
    const open = matchAt(NEXT_ROW, text, at);
    const row = open && rowAt(text, at + open[0].length);
    if (!row) return;
    at = row.end;
    if (row.items.length !== columns.length) continue;
    for (const [i, { start, end }] of row.items.entries()) {
      const item = text.slice(start, end);
      const found = TEXT.exec(item);
      const value = found?.[1] ?? found?.[2];
      if (!value || !isCredential(columns[i] ?? "", value)) continue;
      spans.push(spanOf(start + item.indexOf(value), value, "column"));
    }
  }
}

/** The items of the row whose bracket is open at `from`; undefined when it does not close. */
function rowAt(text: string, from: number): { items: Place[]; end: number } | undefined {
  const items: Place[] = [];
  let [at, depth] = [from, 0];
  let item: Place | undefined;
  while (at - from < LONGEST_ROW) {
    const part = matchAt(PART, text, at)?.[0];
    if (part === undefined) return undefined;
    const start = at;
    at += part.length;
    if (depth === 0 && (part === "," || part === ")")) {
      items.push(item ?? { start, end: start });
      item = undefined;
      if (part === ")") return { items, end: at };
      continue;
    }
    if (/^[([{]$/.test(part)) depth++;
    else if (/^[)\]}]$/.test(part)) depth--;
    if (/^(?:\s|\/\*)/.test(part)) continue;
    item = { start: item?.start ?? start, end: at };
  }
  return undefined;
}
