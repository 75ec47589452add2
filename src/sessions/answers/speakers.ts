/** Labels for other people's items. They are empty for the reader's own. Pure. */
import { withoutMarks } from "../../ground/core/marks.ts";
import { firstWords } from "../../ground/core/text.ts";

/** A person's name on one line, cut. The daemon's operator chose it, so marks that could close a fence are removed. */
export const nameOf = (person: string): string =>
  withoutMarks(firstWords(person).replaceAll(/\s+/g, " "));

/** For example " by ann". */
export const byWhom = (person: string | undefined): string =>
  person === undefined ? "" : ` by ${nameOf(person)}`;

/** For example " of ann". */
export const ofWhom = (person: string | undefined): string =>
  person === undefined ? "" : ` of ${nameOf(person)}`;
