/** The list items and paragraphs of a Markdown text, each with the heading above it. Pure. */
import { oneLine } from "../../ground/core/text.ts";

export interface Markdown {
  /** The frontmatter, without its marks; empty where there is none. */
  readonly frontmatter: string;
  /** Each with the index of its first line, and the nearest heading above it. */
  readonly statements: readonly { readonly at: number; readonly heading: string; readonly text: string }[];
}

const FRONTMATTER = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;
/** What people do not see, and what `init` wrote. */
const HIDDEN = /<!-- sentinel-memory(-digest)?:start[\s\S]*?(?:<!-- sentinel-memory\1:end -->|$)|<!--[\s\S]*?-->/g;
const FENCE = /^\s*(?:`{3,}|~{3,})/;
const HEADING = /^#{1,6}\s+(.*?)\s*#*$/;
const ITEM = /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(.*)$/;
/** Tables, rules and what a list of links to other files is made of. */
const NO_STATEMENT = /^\s*(?:\||[-*_=]{3,}\s*$)|^\s*(?:[-*+]\s+)?\*{0,2}\[[^\]]*\]\([^)]*\.md\b[^)]*\)/;

/** Code blocks, tables, comments and our own block are passed over. */
export function readMarkdown(text: string): Markdown {
  const [head = "", frontmatter = ""] = FRONTMATTER.exec(text) ?? [];
  const statements: { at: number; heading: string; text: string }[] = [];
  let [isOpen, inCode, heading] = [false, false, ""];
  for (const [at, line] of blank(text, head).split(/\r?\n/).entries()) {
    if (FENCE.test(line)) inCode = !inCode;
    const title = HEADING.exec(line)?.[1];
    const item = ITEM.exec(line)?.[1];
    const last = statements.at(-1);
    heading = title ?? heading;
    if (inCode || FENCE.test(line) || title !== undefined || line.trim() === "" || NO_STATEMENT.test(line))
      isOpen = false;
    else if (isOpen && item === undefined && last) last.text += ` ${oneLine(line)}`;
    else {
      statements.push({ at, heading, text: oneLine(item ?? line) });
      isOpen = true;
    }
  }
  return { frontmatter, statements };
}

/** With an empty line for each line that is hidden. */
function blank(text: string, head: string): string {
  const empty = (part: string) => part.replaceAll(/[^\n]/g, "");
  return empty(head) + text.slice(head.length).replaceAll(HIDDEN, empty);
}
