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
/** A string in the quotes of any dialect, or a comment. No two of these parts can begin alike, so that time is linear. */
const QUOTED = String.raw`[eEnN]?'(?:[^'\\]|''|\\'(?!\s{0,9}[,)])|\\(?!')){0,2000}'(?!')|"(?:[^"\\]|\\.){0,2000}"|\$\w{0,20}\$[^$]{0,2000}\$\w{0,20}\$|/\*[^*]{0,400}\*/`;
const PLAIN = String.raw`(?!/\*|\$\w{0,20}\$|[eEnN]')[^'"()[\]{},]`;
const INNER = `${QUOTED}|${PLAIN}|,`;
const CALL = String.raw`[([{](?:${INNER}|[([{](?:${INNER}){0,100}[)\]}]){0,200}[)\]}]`;
/** An item of a row with the comma or bracket behind it. */
const ITEM = new RegExp(String.raw`\s{0,99}((?:${QUOTED}|${CALL}|${PLAIN}){0,400})([,)])`, "y");
const LONGEST_ROW = 2000;

function addValues(text: string, insert: RegExpExecArray, spans: Span[]): void {
  const columns = (insert[1] ?? "").split(",").map((name) => name.replace(/[\s"'`[\]]/g, ""));
  let at = insert.index + insert[0].length;
  for (;;) {
    const open = matchAt(NEXT_ROW, text, at);
    const items = open ? itemsFrom(text, at + open[0].length) : [];
    const last = items.at(-1);
    if (!last) return;
    at = last.end + 1;
    if (items.length !== columns.length) continue;
    for (const [column, item] of items.entries()) {
      const span = secretIn(text, item, columns[column] ?? "");
      if (span) spans.push(span);
    }
  }
}

/** The items of a row. Empty if it doesn't close. @param start the place after its opening bracket. */
function itemsFrom(text: string, start: number): Place[] {
  const items: Place[] = [];
  let at = start;
  while (at - start < LONGEST_ROW) {
    const [found = "", item = "", sign] = matchAt(ITEM, text, at) ?? [];
    at += found.length;
    items.push(spanOf(at - 1 - item.length, item, ""));
    if (sign === ")") return items;
    if (!sign) return [];
  }
  return [];
}

/** A string, also with its type, or one that a function hashes. */
const STRING =
  /^(?:[\w.]{0,20}crypt\w{0,10}\(\s?)?[eEnN]?(?:'((?:[^'\\]|''|\\.)*)'|"([^"]*)")(?:::[\w ]+|,.*\))?\s*$/s;

function secretIn(text: string, { start, end }: Place, column: string): Span | undefined {
  const item = text.slice(start, end);
  const [, single, double] = STRING.exec(item) ?? [];
  const value = single ?? double;
  if (!value || !isCredential(column, value)) return undefined;
  return spanOf(start + item.indexOf(value), value, "column");
}
