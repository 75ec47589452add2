/** Texts as PostgreSQL takes them: NUL and halves of surrogate pairs are written in another way and read back, in a part as in the whole. */

/** No text means this character; what it introduces is given as four hex digits. */
const ESCAPE = "\ufffe";
const UNSTORABLE =
  /[\0\ufffe]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const ESCAPED = /\ufffe([0-9a-f]{4})/g;

export function toStorable(text: string): string {
  return text.replace(
    UNSTORABLE,
    (unit) => ESCAPE + unit.charCodeAt(0).toString(16).padStart(4, "0"),
  );
}

export function fromStorable(text: string): string {
  return text.includes(ESCAPE)
    ? text.replace(ESCAPED, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    : text;
}
