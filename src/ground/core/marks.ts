/** The marks around text that a hook adds. Tools that record conversations exclude it, so memory doesn't record its own output. */

const MARK = "sentinel-memory";
export const OPEN = `<${MARK}>`;
export const CLOSE = `</${MARK}>`;

/** Removes our marks from stored text. A mark would end the passage early, and a fence line could pass for the end of the fence. */
export function withoutMarks(text: string): string {
  return text
    .replaceAll(/<(?=\/?sentinel-memory)/gi, "\u2039")
    .replaceAll(/---(?= (?:end|notes)\b)/gi, "- -");
}
