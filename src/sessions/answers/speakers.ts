/** Whose something is, in texts: words after what somebody else said or did, and nothing where it is the reader's own. Pure. */
import { withoutMarks } from "../../ground/core/marks.ts";
import { firstWords } from "../../ground/core/text.ts";

/** The name of a person on one line, cut. The daemon's operator chose it, and it cannot end a fence. */
export const nameOf = (person: string): string =>
  withoutMarks(firstWords(person).replaceAll(/\s+/g, " "));

/** Such as " by ann". */
export const byWhom = (person: string | undefined): string =>
  person === undefined ? "" : ` by ${nameOf(person)}`;

/** Such as " of ann". */
export const ofWhom = (person: string | undefined): string =>
  person === undefined ? "" : ` of ${nameOf(person)}`;
