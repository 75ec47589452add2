/** Puts candidates into sections, as far as the caps and the total budget allow. Pure. (docs/design/sessions.md, "The bundle") */
import { groupBy } from "../../ground/core/collections.ts";
import { memoizeByObject } from "../../ground/core/memoize.ts";
import { estimateTokens } from "../../ground/core/tokens.ts";
import { type BundleSection, type Candidate, itemOf } from "./bundle.ts";
import { type Budgets, SECTIONS, type SectionName } from "./settings/budgets.ts";

/** These sections have texts that people wrote for every bundle, so they get up to this share of the total first. */
const FIRST: readonly SectionName[] = ["identity", "rules"];
const SHARE_OF_FIRST = 0.5;
/** The order in which the sections get the room that the shares left. Evidence answers a question best. */
const ORDER_OF_REST: readonly SectionName[] = [
  ...new Set([...FIRST, "retrieved_evidence" as const, ...SECTIONS]),
];
/** Tokens of a section's heading, and of the line break after each item. */
const HEADING = 8;
const LINE = 2;

export interface Filled {
  readonly sections: readonly BundleSection[];
  readonly taken: readonly Candidate[];
  /** The candidates without room. */
  readonly left: readonly Candidate[];
}

/** A section that is filled several times, each time with more room. */
interface Section {
  readonly name: SectionName;
  readonly cap: number;
  readonly candidates: readonly Candidate[];
  taken: readonly Candidate[];
  tokens: number;
}

/**
 * Fills identity and rules first, then the other sections by share of their caps, then gives the rest to one after the other.
 * @param candidates the best of each section first. @param total estimated tokens.
 */
export function fillSections(
  candidates: readonly Candidate[],
  { sections: caps }: Budgets,
  total: number,
): Filled {
  const bySection = groupBy(candidates, ({ section }) => section);
  const sections = [...bySection].map(
    ([name, of]): Section => ({
      name,
      cap: caps[name].max_tokens,
      candidates: of,
      taken: [],
      tokens: 0,
    }),
  );
  const first = sections.filter(({ name }) => FIRST.includes(name));
  const others = sections.filter(({ name }) => !FIRST.includes(name));
  let rest = total - fillByShare(first, Math.floor(total * SHARE_OF_FIRST));
  rest -= fillByShare(others, rest);
  for (const section of inOrder(sections, ORDER_OF_REST)) rest -= grow(section, rest);
  const filled = inOrder(sections, SECTIONS).filter(({ taken }) => taken.length > 0);
  const taken = filled.flatMap((section) => section.taken);
  const isTaken = new Set(taken);
  return {
    sections: filled.map((section) => ({
      name: section.name,
      token_est: section.tokens,
      items: section.taken.map(itemOf),
    })),
    taken,
    left: candidates.filter((candidate) => !isTaken.has(candidate)),
  };
}

function inOrder(sections: readonly Section[], names: readonly SectionName[]): Section[] {
  return sections.toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
}

/** Divides room by the sections' caps. @returns the tokens used. */
function fillByShare(sections: readonly Section[], room: number): number {
  const caps = sections.reduce((sum, { cap }) => sum + cap, 0);
  let used = 0;
  for (const section of sections)
    used += grow(section, Math.floor((room * section.cap) / Math.max(1, caps)));
  return used;
}

/** Fills a section again with more room, up to its cap. @returns the additional tokens that it uses. */
function grow(section: Section, more: number): number {
  const before = section.tokens;
  const room = Math.min(before + more, section.cap);
  const taken: Candidate[] = [];
  let used = HEADING;
  for (const candidate of section.candidates) {
    const tokens = sizeOf(candidate);
    if (used + tokens > room) continue;
    taken.push(candidate);
    used += tokens;
  }
  section.taken = taken;
  section.tokens = taken.length > 0 ? used : 0;
  return section.tokens - before;
}

const sizeOf = memoizeByObject(({ text }: Candidate) => estimateTokens(text) + LINE);
