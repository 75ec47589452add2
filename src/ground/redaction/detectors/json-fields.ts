/**
 * Name and value in fields of their own: `{"name": "authorization", "value": "…"}`, `"db_password": {"value": "…"}`,
 * a parameter of type SecureString, an output marked sensitive, the result of a random_password.
 */
import { type Detector, matchesIn } from "../span.ts";
import { isCredential } from "./assignments.ts";

const VALUE = /"(?:value|result|secret_?string|plaintext|content)"\s{0,4}:\s{0,4}"([^"\n\\]{4,800})"/gi;
const NAME = /"(?:name|key|parameter_?name|header|variable|id|label)"\s{0,4}:\s{0,4}"([^"\n]{2,120})"/i;
/** The name of the object that holds the value. */
const OWNER = /"([\w.-]{2,80})"\s{0,4}:\s{0,4}$/;
const MARKED =
  /"type"\s{0,4}:\s{0,4}"(?:SecureString|secret|password|random_password)"|"sensitive"\s{0,4}:\s{0,4}true/i;
/** Characters around a value in which its object begins and ends. */
const AROUND = 600;

export const findInJsonFields: Detector = (text, _, spans) => {
  for (const found of matchesIn(text, VALUE)) {
    const value = found[1] ?? "";
    const end = found.index + found[0].length - 1;
    const opened = openingBrace(text, found.index);
    const before = text.slice(Math.max(0, opened - AROUND), Math.max(0, opened));
    const fields = text.slice(opened + 1, found.index) + siblingsAfter(text, end + 1);
    const owner = OWNER.exec(before.slice(-100))?.[1];
    const names = [NAME.exec(fields)?.[1], owner].filter((name) => name !== undefined);
    const isMarked = MARKED.test(fields) || (/"result"/i.test(found[0]) && before.includes('"random_password"'));
    if (names.some((name) => isCredential(lastPart(name), value)) || (isMarked && isCredential("password", value)))
      spans.push({ start: end - value.length, end, kind: "field" });
  }
};

/** `/prod/db/password` */
const lastPart = (path: string): string => path.split(/[/:]/).at(-1) ?? path;

/** The brace that opens the object, or the end of the search backwards. */
function openingBrace(text: string, from: number): number {
  let depth = 0;
  for (let i = from - 1; i >= Math.max(0, from - AROUND); i--) {
    const char = text.charCodeAt(i);
    if (char === 0x7d) depth++;
    else if (char === 0x7b && depth-- === 0) return i;
  }
  return Math.max(0, from - AROUND) - 1;
}

const siblingsAfter = (text: string, from: number): string =>
  /^[^{}]*/.exec(text.slice(from, from + AROUND))?.[0] ?? "";
