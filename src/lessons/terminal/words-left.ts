/** Lists the lessons that still contain words of a purged lesson, for people. Pure. */
import { cut, type Page, safeLine } from "../../ground/terminal/layout.ts";
import type { Spell } from "../../ground/terminal/shell.ts";
import type { WordsLeft } from "../changes/words-left.ts";
import { inShort } from "./lessons.ts";

const MOST_WORDS = 12;
const MOST_ROWS = 20;

/** The command that purges a lesson. */
export const purgeCommand = (id: string): string => `sentinel-memory purge ${id}`;

/** The lessons that contain words, each with these and its places, below a heading. */
export function listWordsLeft(heading: string, left: readonly WordsLeft[], page: Page): string[] {
  const rows = left.flatMap(({ lesson, words, places }) => {
    const more = words.length > MOST_WORDS ? ` and ${words.length - MOST_WORDS} more` : "";
    const named = words.slice(0, MOST_WORDS).map(safeLine).join(", ");
    const held = cut(`    in ${places.join(" and ")}: ${named}${more}`, page.width);
    return `  ${inShort(lesson, page)}\n${held}`;
  });
  return withHeading(heading, rows);
}

/** The commands that remove these words too. */
export function purgeCommands(left: readonly WordsLeft[], spelt: Spell): string[] {
  const commands = left.map(({ lesson }) => spelt(`  ${purgeCommand(lesson.id)}`));
  const lines = withHeading("To remove the words there too, purge these lessons:", commands);
  const principle = left.find(({ lesson }) => lesson.type === "principle")?.lesson;
  if (!principle) return lines;
  const restore = spelt(`sentinel-memory restore ${principle.id}`);
  return [...lines, `To keep the other sources of a principle, restore them first: ${restore}`];
}

function withHeading(heading: string, rows: readonly string[]): string[] {
  if (rows.length === 0) return [];
  const more = rows.length - MOST_ROWS;
  const end = more > 0 ? [`  and ${more} more`] : [];
  return [heading, ...rows.slice(0, MOST_ROWS), ...end];
}
