/** Puts candidates into sections, as far as the caps and the total budget allow. Pure. (docs/design/sessions.md, "The bundle") */
import { groupBy } from "../../ground/core/group-by.ts";
import { memoizeByObject } from "../../ground/core/memoize-by-object.ts";
import { estimateTokens } from "../../ground/core/tokens.ts";
import type { BundleSection } from "./bundle.ts";
import { type Candidate, itemOf } from "./candidates.ts";
import { type Budgets, SECTIONS, type SectionName } from "./settings/budgets.ts";

/** These sections have texts that people wrote for every bundle, so they get up to this share of the total first. */
const FIRST: readonly SectionName[] = ["identity", "rules"];
const SHARE_OF_FIRST = 0.5;
/** Tokens of a section's heading, and of the line break after each item. */
const HEADING = 8;
const LINE = 2;

export interface Filled {
  readonly sections: readonly BundleSection[];
  readonly taken: readonly Candidate[];
  /** The candidates without room. */
  readonly left: readonly Candidate[];
}

/**
 * Fills identity and rules first, then the other sections by share of their caps, then divides the rest among all.
 * @param total estimated tokens.
 */
export function fillSections(
  candidates: readonly Candidate[],
  { sections: caps }: Budgets,
  total: number,
): Filled {
  const sections = sectionsOf(candidates, caps);
  const first = sections.filter(({ name }) => FIRST.includes(name));
  const others = sections.filter(({ name }) => !FIRST.includes(name));
  const forFirst = Math.floor(total * SHARE_OF_FIRST);
  const unused = fillByShare(first, forFirst);
  let left = fillByShare(others, total - forFirst + unused);
  for (const section of sections) left -= section.grow(left);
  return {
    sections: sections.map((section) => section.filled()).filter(({ items }) => items.length > 0),
    taken: sections.flatMap(({ taken }) => taken.map(({ candidate }) => candidate)),
    left: sections.flatMap((section) => section.left),
  };
}

function sectionsOf(candidates: readonly Candidate[], caps: Budgets["sections"]): Section[] {
  const bySection = groupBy(candidates, ({ section }) => section);
  const names = SECTIONS.filter((name) => bySection.has(name));
  return names.map((name) => new Section(name, caps[name].max_tokens, bySection.get(name) ?? []));
}

/** Divides room by the sections' caps, the smallest cap first. The room that one section doesn't need goes to the next ones. @returns the rest. */
function fillByShare(sections: readonly Section[], room: number): number {
  let left = room;
  let weights = sections.reduce((sum, { cap }) => sum + cap, 0);
  for (const section of sections.toSorted((a, b) => a.cap - b.cap)) {
    left -= section.grow(Math.floor((left * section.cap) / Math.max(1, weights)));
    weights -= section.cap;
  }
  return left;
}

interface Sized {
  readonly candidate: Candidate;
  readonly text: string;
  readonly tokens: number;
}

/** A section that is filled several times, each time with more room. */
class Section {
  taken: readonly Sized[] = [];
  left: readonly Candidate[];
  readonly name: SectionName;
  readonly cap: number;
  readonly #candidates: readonly Candidate[];
  #tokens = 0;

  constructor(name: SectionName, cap: number, candidates: readonly Candidate[]) {
    this.name = name;
    this.cap = cap;
    this.#candidates = candidates;
    this.left = candidates;
  }

  /** Fills it again with more room, up to its cap. @returns the additional tokens that it uses. */
  grow(more: number): number {
    const before = this.#tokens;
    this.#fill(Math.min(before + more, this.cap));
    return this.#tokens - before;
  }

  filled(): BundleSection {
    const items = this.taken.map(({ candidate, text }) => itemOf(candidate, text));
    return { name: this.name, token_est: this.#tokens, items };
  }

  #fill(room: number): void {
    const taken: Sized[] = [];
    const left: Candidate[] = [];
    let used = HEADING;
    for (const candidate of this.#candidates) {
      const sized = used + leastOf(candidate) < room ? sizeOf(candidate) : undefined;
      if (sized && used + sized.tokens <= room) {
        taken.push(sized);
        used += sized.tokens;
      } else left.push(candidate);
    }
    this.taken = taken.sort((a, b) => byPlace(a.candidate, b.candidate));
    this.left = left;
    this.#tokens = taken.length > 0 ? used : 0;
  }
}

/** Makes a text when it's first needed, because most candidates are never shown. */
const sizeOf = memoizeByObject((candidate: Candidate): Sized => {
  const text = candidate.text();
  return { candidate, text, tokens: estimateTokens(text) + LINE };
});

const leastOf = memoizeByObject((candidate: Candidate) => candidate.least?.() ?? 0);

/** Candidates without a place keep their order. */
function byPlace(a: Candidate, b: Candidate): number {
  if (a.place === undefined || b.place === undefined || a.place === b.place) return 0;
  return a.place < b.place ? -1 : 1;
}
