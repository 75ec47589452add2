/** What a bundle leaves out, and why: whatever was a candidate stands in a section or is counted here. Pure. */
import { groupBy } from "../../ground/core/group-by.ts";
import type { SearchResult } from "../store.ts";
import type { Omission } from "./bundle.ts";
import type { Candidate } from "./candidates.ts";
import type { Dropped } from "./choose-candidates.ts";
import type { Filled } from "./fill-sections.ts";

/** Of each sort. */
const MOST_NAMED = 10;

/** @param dropped found, and no candidate. @param hidden how many may not be seen, where that may be said. @param found whose limits may be told. */
export function omissionsOf(
  { taken, left }: Pick<Filled, "taken" | "left">,
  dropped: readonly Dropped[],
  hidden: number,
  found: SearchResult | undefined,
): Omission[] {
  const again = [...taken, ...left].flatMap((candidate) => candidate.again ?? []);
  const { days, bytes } = found?.notIndexed ?? { days: [], bytes: 0 };
  const unread = `${bytes} bytes of events, ${days.at(-1)} to ${days[0]}`;
  return [
    ...[...groupBy(left, ({ section }) => section)].map(([section, candidates]) =>
      named("budget", candidates.flatMap(firstRef), { section }),
    ),
    named("duplicate", again),
    ...[...groupBy(dropped, ({ reason, section }) => `${reason} ${section}`).values()].map(
      namedTogether,
    ),
    counted("privacy", hidden),
    ...taken.flatMap((shown) =>
      shown.artifact === undefined
        ? []
        : named("truncated_tool_output", firstRef(shown), { artifact_id: shown.artifact }),
    ),
    counted("not_indexed_yet", bytes > 0 ? days.length : 0, unread),
    ...(found?.limits.map((limit) => counted("limit", 1, limit)) ?? []),
  ].filter(({ count }) => count > 0);
}

/** @param dropped for one reason, from one section. */
function namedTogether(dropped: readonly Dropped[]): Omission {
  const [{ reason, section }] = dropped as [Dropped];
  const refs = dropped.map(({ ref }) => ref);
  return named(reason, refs, section && { section });
}

const firstRef = ({ refs }: Candidate): string[] => refs.slice(0, 1);

function named(
  reason: Omission["reason"],
  refs: readonly string[],
  more: Partial<Omission> = {},
): Omission {
  return { reason, count: refs.length, candidates: refs.slice(0, MOST_NAMED), ...more };
}

function counted(reason: Omission["reason"], count: number, note?: string): Omission {
  return { reason, count, candidates: [], note };
}
