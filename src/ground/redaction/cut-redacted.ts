/** Cuts redacted text. Nothing else may be cut, because no pattern recognizes half a secret. */
import type { RedactedText } from "./redact.ts";
import { MARK } from "./span.ts";

/** The first `most` characters. Cuts before a mark or a surrogate pair, never inside one. */
export function cutRedacted(text: RedactedText, most: number): RedactedText {
  if (text.length <= most) {
    return text;
  }
  let end = most;
  const mark = text.lastIndexOf(MARK, end);
  if (mark >= 0 && mark < end && mark + MARK.length > end) {
    end = mark;
  }
  const code = text.charCodeAt(end - 1);
  if (code >= 0xd800 && code < 0xdc00) {
    end--;
  }
  return text.slice(0, end) as RedactedText;
}
