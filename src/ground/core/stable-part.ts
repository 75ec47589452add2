/** The last name of a path stays, because another file is another failure, and so does a code such as E403. */
export const VARYING =
  /(?:~|\.{1,2}|\b[A-Z]:)?(?:[\\/][\w.@+-]+)*[\\/](?=[\w.@+-])|\b[0-9a-f]{7,}\b|(?<!\bE\d*)\d+|\ufffd(?:\[[\d;]*m)?/gi;

/** The longest part of an error line without paths, numbers and hashes: the part that stays the same the next time. */
export function stablePart(line: string): string {
  const parts = line.split(VARYING).map((part) => part.replace(/^[\s:]+/, "").trim());
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest), "");
}
