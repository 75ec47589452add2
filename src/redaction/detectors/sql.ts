/** Values of credential columns in `INSERT INTO users (email, password) VALUES ('…', '…')`, and lines of a `.pgpass`. */

import { isInert, looksChosen, looksRandom } from "../shape.ts";
import { type Detector, matchesIn, type Span } from "../span.ts";
import { isCredential } from "./assignments.ts";
import { searchFrom } from "./literals.ts";

const findInserts = searchFrom(
  ["insert", "replace"],
  /\b(?:insert|replace)\s+(?:or\s+\w+\s+)?into\s+[\w."`[\]]{1,120}\s{0,9}\(([^()]{3,1000})\)\s{0,9}values\s{0,9}/iy,
);
/** One value of a row: quoted, with quotes doubled or escaped inside, or bare. */
const ITEM =
  /\s*(?:[eEnN]?'((?:[^'\\]|''|\\.){0,2000})'|"((?:[^"\\]|\\.){0,2000})"|[^,()']{1,200}(?:\([^()]{0,200}\))?)\s*([,)])/y;
const NEXT_ROW = /\s*,?\s*\(/y;
const PGPASS =
  /:(?<=(?<![^\s"'`])[^\s:#"'`{}]{1,120}:)(?:\d{4,5}|\*):[^\s:]{1,60}:[^\s:]{1,60}:([^\s"'`\\:]{4,200})(?=["'`}\]]{0,3}[ \t\r]*$)/gm;

export const findInSql: Detector = (text, landmarks) => {
  const spans: Span[] = [];
  for (const insert of findInserts(text, landmarks)) spans.push(...ofInsert(text, insert));
  for (const { index, 0: line, 1: word = "" } of matchesIn(text, PGPASS))
    if (!isInert(word) && (looksChosen(word) || looksRandom(word, 8)))
      spans.push({ start: index + line.length - word.length, end: index + line.length, kind: "password" });
  return spans;
};

function ofInsert(text: string, insert: RegExpExecArray): Span[] {
  const spans: Span[] = [];
  const columns = (insert[1] ?? "").split(",").map((name) => name.replace(/[\s"'`[\]]/g, ""));
  let at = insert.index + insert[0].length;
  for (;;) {
    NEXT_ROW.lastIndex = at;
    const row = NEXT_ROW.exec(text);
    if (!row) return spans;
    at += row[0].length;
    for (const column of columns) {
      ITEM.lastIndex = at;
      const item = ITEM.exec(text);
      if (!item) return spans;
      const value = item[1] ?? item[2];
      if (value && isCredential(column, value)) {
        const start = at + item[0].indexOf(value);
        spans.push({ start, end: start + value.length, kind: "column" });
      }
      at += item[0].length;
      if (item[3] === ")") break;
    }
  }
}
