/** Whose something is, in texts: words after what somebody else said or did, and nothing where it is the reader's own. Pure. */
import { withoutMarks } from "../../ground/core/marks.ts";
import { firstWords } from "../../ground/core/text.ts";

/** The name of a person on one line, cut. The daemon's operator chose it, and it cannot end a fence. */
export function nameOf(person: string): string {
  return withoutMarks(firstWords(person).replaceAll(/\s+/g, " "));
}

/** Such as " by ann". */
export function byWhom(person: string | undefined): string {
  return person === undefined ? "" : ` by ${nameOf(person)}`;
}

/** Such as " of ann". */
export function ofWhom(person: string | undefined): string {
  return person === undefined ? "" : ` of ${nameOf(person)}`;
}
