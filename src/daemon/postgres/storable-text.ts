/** Encodes NUL and lone surrogates, which PostgreSQL refuses in texts. Decoding also works on a part of a text. */

/** A noncharacter of Unicode that introduces four hex digits. */
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
