/** Puts candidates into sections, as far as the caps and the whole budget allow. Pure. (docs/design/sessions.md, "The bundle") */
import { groupBy } from "../../ground/core/group-by.ts";
import { memoizeByObject } from "../../ground/core/memoize-by-object.ts";
import { estimateTokens } from "../../ground/core/tokens.ts";
import { type Candidate, itemOf } from "./candidates.ts";
import { type Budgets, SECTIONS, type SectionName } from "./settings/budgets.ts";

/** The texts that people wrote for every bundle have room before the rest, up to this share of the whole. */
const FIRST: readonly SectionName[] = ["identity", "rules"];
const SHARE_OF_FIRST = 0.5;
/** Of its heading, and of the line break after each item. */
const HEADING = 8;
const LINE = 2;

export type Filled = ReturnType<typeof fillSections>;

/** Identity and rules come first, then each section with its share by its cap, the smallest first, then what fits. @param total estimated tokens. */
export function fillSections(
  candidates: readonly Candidate[],
  { sections: caps }: Budgets,
  total: number,
) {
  const bySection = groupBy(candidates, ({ section }) => section);
  const names = SECTIONS.filter((name) => bySection.has(name));
  const filled = new Map<SectionName, ReturnType<typeof fill>>();
  /** @returns how many tokens it took. */
  const fillWith = (name: SectionName, more: number): number => {
    const before = filled.get(name)?.section.token_est ?? 0;
    const now = fill(
      name,
      bySection.get(name) ?? [],
      Math.min(before + more, caps[name].max_tokens),
    );
    filled.set(name, now);
    return now.section.token_est - before;
  };
  /** @returns what they leave of it. */
  const share = (room: number, of: readonly SectionName[]): number => {
    const smallestFirst = of.toSorted((a, b) => caps[a].max_tokens - caps[b].max_tokens);
    let [left, weights] = [room, of.reduce((sum, name) => sum + caps[name].max_tokens, 0)];
    for (const name of smallestFirst) {
      const weight = caps[name].max_tokens;
      left -= fillWith(name, Math.floor((left * weight) / Math.max(1, weights)));
      weights -= weight;
    }
    return left;
  };
  const first = names.filter((name) => FIRST.includes(name));
  const others = names.filter((name) => !FIRST.includes(name));
  const forFirst = Math.floor(total * SHARE_OF_FIRST);
  let left = share(total - forFirst + share(forFirst, first), others);
  for (const name of names) left -= fillWith(name, left);
  const all = names.flatMap((name) => filled.get(name) ?? []);
  return {
    sections: all.flatMap(({ section }) => (section.items.length > 0 ? [section] : [])),
    taken: all.flatMap(({ taken }) => taken),
    left: all.flatMap(({ left }) => left),
  };
}

/** A text is made when it is looked at for the first time: most candidates are never shown. */
const sized = memoizeByObject((candidate: Candidate) => {
  const text = candidate.text();
  return { candidate, text, tokens: estimateTokens(text) + LINE };
});

const leastOf = memoizeByObject((candidate: Candidate) => candidate.least?.() ?? 0);

function fill(name: SectionName, candidates: readonly Candidate[], room: number) {
  const taken: ReturnType<typeof sized>[] = [];
  const left: Candidate[] = [];
  let used = HEADING;
  for (const candidate of candidates) {
    const one = used + leastOf(candidate) < room ? sized(candidate) : undefined;
    if (one && used + one.tokens <= room) {
      taken.push(one);
      used += one.tokens;
    } else left.push(candidate);
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
