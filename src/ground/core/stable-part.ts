/** Matches the varying parts of an error line. The last name of a path stays, because another file is another failure. Codes such as E403 stay too. */
export const VARYING =
  /(?:~|\.{1,2}|\b[A-Z]:)?(?:[\\/][\w.@+-]+)*[\\/](?=[\w.@+-])|\b[0-9a-f]{7,}\b|(?<!\bE\d*)\d+|\ufffd(?:\[[\d;]*m)?/gi;

/** Returns the longest part of an error line without paths, numbers and hashes, which is the same the next time it fails. */
export function stablePart(line: string): string {
  const parts = line.split(VARYING).map((part) => part.replace(/^[\s:]+/, "").trim());
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest), "");
}
