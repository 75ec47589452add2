/** What a bundle leaves out, and why: whatever was a candidate stands in a section or is counted here. Pure. */
import { groupBy } from "../../ground/core/group-by.ts";
import type { SearchResult } from "../store.ts";
import type { Omission } from "./bundle.ts";
import type { Candidate } from "./candidates.ts";
import type { Chosen } from "./choose-candidates.ts";
import type { Filled } from "./fill-sections.ts";

/** Of each sort. */
const MOST_NAMED = 10;

/**
 * @param dropped what was not a candidate, though it was found.
 * @param hidden how many may not be seen, where that may be said: nothing else is said of them.
 * @param found whose limits may be told.
 */
export function omissionsOf(
  { taken, left }: Pick<Filled, "taken" | "left">,
  dropped: Chosen["dropped"],
  hidden: number,
  found: SearchResult | undefined,
): Omission[] {
  const again = [...taken, ...left].flatMap((candidate) => candidate.again ?? []);
  return [
    ...[...groupBy(left, ({ section }) => section)].flatMap(([section, candidates]) =>
      omitted("budget", candidates.flatMap(firstRef), { section }),
    ),
    ...omitted("duplicate", again),
    ...[...groupBy(dropped, ({ reason }) => reason)].flatMap(([reason, all]) =>
      omitted(
        reason,
        all.map(({ ref }) => ref),
      ),
    ),
    ...(hidden > 0 ? [{ reason: "privacy" as const, count: hidden, candidates: [] }] : []),
    ...taken.flatMap((candidate) =>
      candidate.artifact === undefined
        ? []
        : omitted("truncated_tool_output", firstRef(candidate), { artifact_id: candidate.artifact }),
    ),
    ...notSearched(found),
  ];
}

const firstRef = ({ refs }: Candidate): string[] => refs.slice(0, 1);

function omitted(reason: Omission["reason"], refs: readonly string[], more: Partial<Omission> = {}): Omission[] {
  return refs.length === 0 ? [] : [{ reason, count: refs.length, candidates: refs.slice(0, MOST_NAMED), ...more }];
}

function notSearched(found: SearchResult | undefined): Omission[] {
  if (!found) return [];
  const { days, bytes } = found.notIndexed;
  return [
    ...(bytes > 0
      ? [
          {
            reason: "not_indexed_yet" as const,
            count: days.length,
            candidates: [],
            note: `${bytes} bytes of events, ${days.at(-1)} to ${days[0]}`,
          },
        ]
      : []),
    ...found.limits.map((limit) => ({ reason: "limit" as const, count: 1, candidates: [], note: limit })),
  ];
}
