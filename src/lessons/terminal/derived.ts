/** What was made from a lesson that is purged, as a person reads it in a terminal. Pure. */
import { present } from "../../ground/core/text.ts";
import { cut, type Page, safeLine } from "../../ground/terminal/layout.ts";
import type { Spell } from "../../ground/terminal/shell.ts";
import { type Holding, holdsWords, type PurgePlan } from "../changes/purge-plan.ts";
import type { PurgeOptions } from "../store.ts";
import { inShort } from "./lessons.ts";

const MOST_WORDS = 12;
const MOST_RECORDS = 20;
const CAME_FROM = "It came from this lesson, which contains the same words and stays:";

/** The command that takes a lesson. */
export const purgeOf = (id: string): string => `sentinel-memory purge ${id}`;

/** Before the purge: what holds words, where, and what becomes of it. */
export function whatIsDerived(
  id: string,
  plan: PurgePlan,
  { derived = false, lose, yes }: PurgeOptions & { readonly yes?: boolean | undefined },
  page: Page,
  spelt: Spell,
): string[] {
  const heading = derived
    ? "Lessons made from it that contain its words are removed too:"
    : "Lessons made from it contain its words and stay:";
  const command = spelt(`To remove those too, answer no and call ${purgeOf(id)} --derived`);
  const lost = lose
    ? "Lost, since its text is in no trash here"
    : "To come back, but in no trash here";
  return present(
    ...listed(heading, plan.derived, page),
    // Without a question the lesson is gone when somebody reads this; the commands below name what stays.
    plan.derived.length > 0 && !derived && !yes && command,
    plan.withoutWords.length > 0 &&
      `Made from it without such words, and stays: ${plan.withoutWords.map((lesson) => lesson.id).join(", ")}`,
    ...(derived
      ? listed("The other lessons it replaced come back from the trash first:", plan.back, page)
      : []),
    ...(derived ? plan.lost.map((source) => `${lost}: ${safeLine(source)}`) : []),
    ...listed(CAME_FROM, staying(plan, derived), page),
  );
}

/** After it: the commands that take what stays. */
export function whatStays(plan: PurgePlan, { derived = false }: PurgeOptions): string[] {
  const made = derived ? [] : plan.derived.map(({ lesson }) => `${purgeOf(lesson.id)} --derived`);
  const others = [...staying(plan, derived), ...(derived ? plan.back.filter(holdsWords) : [])];
  const heading = "Words of it are left in the lessons listed above. To take one too:";
  return titled(
    heading,
    [...made, ...others.map(({ lesson }) => purgeOf(lesson.id))].map((command) => `  ${command}`),
  );
}

/** After the purge of a word: the texts that still hold it. */
export function textsLeft(holding: readonly Holding[], page: Page, spelt: Spell): string[] {
  const commands = holding.map(({ lesson }) => spelt(`  ${purgeOf(lesson.id)}`));
  return [
    ...listed("Cues alone lost it. Texts that still hold it:", holding, page),
    ...titled("To take one:", commands),
  ];
}

/** What does not come back stays in the trash, or in the memory where it shows. */
function staying({ sources, back }: PurgePlan, derived: boolean): readonly Holding[] {
  return derived ? sources : [...sources, ...back.filter(holdsWords)];
}

function listed(heading: string, holding: readonly Holding[], page: Page): string[] {
  return titled(
    heading,
    holding.map((held) => row(held, page)),
  );
}

function row({ lesson, words, places }: Holding, page: Page): string {
  const named = words.slice(0, MOST_WORDS).map(safeLine).join(", ");
  const more = words.length > MOST_WORDS ? ` and ${words.length - MOST_WORDS} more` : "";
  const holds =
    words.length === 0 ? [] : [cut(`    in ${places.join(" and ")}: ${named}${more}`, page.width)];
  return [`  ${inShort(lesson, page)}`, ...holds].join("\n");
}

function titled(heading: string, rows: readonly string[]): string[] {
  const left = rows.length - MOST_RECORDS;
  const more = left > 0 ? [`  and ${left} more`] : [];
  return rows.length === 0 ? [] : [heading, ...rows.slice(0, MOST_RECORDS), ...more];
}
