/** The marks around what a hook adds, so that a tool that records conversations can leave it out: memory must not echo. */

const MARK = "sentinel-memory";
export const OPEN = `<${MARK}>`;
export const CLOSE = `</${MARK}>`;

/** One of our marks in a stored text would end the passage early, and one of the fence could pass for its end. */
export function withoutMarks(text: string): string {
  return text
    .replaceAll(/<(?=\/?sentinel-memory)/gi, "\u2039")
    .replaceAll(/---(?= (?:end|notes)\b)/gi, "- -");
}
