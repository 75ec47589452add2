/** Puts candidates into sections, as far as the caps and the whole budget allow. Pure. (docs/design/sessions.md, "The bundle") */
import { groupBy } from "../../ground/core/group-by.ts";
import { estimateTokens } from "../../ground/core/tokens.ts";
import type { BundleSection } from "./bundle.ts";
import { type Candidate, itemOf } from "./candidates.ts";
import { type Budgets, type Caps, capsFor, SECTIONS, type SectionName } from "./settings/budgets.ts";

/** Of its heading, and of the line break after each item. */
const HEADING = 8;
const LINE = 2;
/** As many that do not fit in a row end a section: more would hardly fit. */
const MOST_MISSES = 12;

export interface Filled {
  readonly sections: readonly BundleSection[];
  readonly taken: readonly Candidate[];
  readonly left: readonly Candidate[];
}

interface Sized {
  readonly candidate: Candidate;
  readonly text: string;
  readonly tokens: number;
}

export class SectionFiller {
  readonly #queues: readonly Queue[];
  readonly #budgets: Budgets;

  constructor(candidates: readonly Candidate[], budgets: Budgets) {
    const bySection = groupBy(candidates, ({ section }) => section);
    this.#queues = SECTIONS.map((name) => new Queue(bySection.get(name) ?? []));
    this.#budgets = budgets;
  }

  /** @param total the most estimated tokens of all sections together. */
  fill(total: number): Filled {
    const room = this.#shares(total);
    const filled = SECTIONS.map((name, at) => fill(name, this.#queues[at] as Queue, room[name]));
    this.#spendSpare(filled, total);
    return {
      sections: filled.flatMap(({ section }) => (section.items.length > 0 ? [section] : [])),
      taken: filled.flatMap(({ taken }) => taken),
      left: filled.flatMap(({ left }) => left),
    };
  }

  /** Texts are made only as far as the shares reach: what one section does not need makes those of the others larger. */
  #shares(total: number): Caps {
    const needed: Partial<Record<SectionName, number>> = {};
    for (;;) {
      const shares = capsFor(total, this.#budgets, needed);
      let isSettled = true;
      for (const [at, name] of SECTIONS.entries()) {
        if (name in needed) continue;
        const need = (this.#queues[at] as Queue).needs(shares[name]);
        if (need >= shares[name]) continue;
        needed[name] = need;
        isSettled = false;
      }
      if (isSettled) return shares;
    }
  }

  /** What is too large for its section's share may fit into what all shares left over. */
  #spendSpare(filled: ReturnType<typeof fill>[], total: number): void {
    let spare = filled.reduce((rest, { section }) => rest - section.token_est, total);
    for (const [at, { section, left }] of filled.entries()) {
      if (left.length === 0) continue;
      const most = Math.min(section.token_est + spare, this.#budgets.sections[section.name].max_tokens);
      const larger = fill(section.name, this.#queues[at] as Queue, most);
      spare -= larger.section.token_est - section.token_est;
      filled[at] = larger;
    }
  }
}

/** The candidates of a section; the text of each is made when it is looked at for the first time. */
class Queue {
  readonly candidates: readonly Candidate[];
  readonly #sized: Sized[] = [];

  constructor(candidates: readonly Candidate[]) {
    this.candidates = candidates;
  }

  at(place: number): Sized {
    const candidate = this.candidates[place] as Candidate;
    const known = this.#sized[place];
    if (known) return known;
    const text = candidate.text();
    const sized = { candidate, text, tokens: estimateTokens(text) + LINE };
    this.#sized[place] = sized;
    return sized;
  }

  /** Estimated tokens of all, as far as they are of interest: below that it is exact. */
  needs(most: number): number {
    if (this.candidates.length === 0) return 0;
    let needs = HEADING;
    for (const [place, { leastTokens = 0 }] of this.candidates.entries()) {
      if (needs + leastTokens >= most) return most;
      needs += this.at(place).tokens;
    }
    return needs;
  }
}

function fill(name: SectionName, queue: Queue, room: number) {
  const taken: Sized[] = [];
  const left: Candidate[] = [];
  let used = HEADING;
  let misses = 0;
  for (const [place, candidate] of queue.candidates.entries()) {
    const mayFit = misses < MOST_MISSES && used + (candidate.leastTokens ?? 1) <= room;
    const sized = mayFit ? queue.at(place) : undefined;
    if (sized && used + sized.tokens <= room) {
      taken.push(sized);
      used += sized.tokens;
      misses = 0;
    } else {
      left.push(candidate);
      misses++;
    }
  }
  const inOrder = taken.sort((a, b) => byPlace(a.candidate, b.candidate));
  const items = inOrder.map(({ candidate, text }) => itemOf(candidate, text));
  const section = { name, token_est: items.length > 0 ? used : 0, items };
  return { section, taken: inOrder.map(({ candidate }) => candidate), left };
}

/** What has no place keeps its order. */
function byPlace(a: Candidate, b: Candidate): number {
  if (a.place === undefined || b.place === undefined || a.place === b.place) return 0;
  return a.place < b.place ? -1 : 1;
}
