/** Builds a bundle. The same material gives the same bytes. Pure. (docs/design/sessions.md, "The bundle") */
import { hash } from "node:crypto";
import { groupBy } from "../../ground/core/collections.ts";
import { memoizeByObject } from "../../ground/core/memoize.ts";
import { estimateTokens } from "../../ground/core/tokens.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";
import { SENSITIVITIES } from "../kinds/event.ts";
import { type Audience, audienceOf, type Visible, visible } from "./audience.ts";
import {
  BUNDLE_PREFIX,
  type Bundle,
  type BundleRequest,
  type BundleSection,
  type Candidate,
  itemOf,
  type Material,
  type Omission,
  type OmissionReason,
  type Provenance,
} from "./bundle.ts";
import { bundleText, sectionText } from "./bundle-text.ts";
import { type Chosen, chooseCandidates, type Dropped } from "./choose-candidates.ts";
import { asksForHistory, intentOf } from "./intent.ts";
import { SCORING } from "./scoring.ts";
import { type Budgets, SECTIONS, type SectionName } from "./settings/settings.ts";

const ID_DIGITS = 16;
/** Safety margin for the token estimate, which may be too low. */
const ESTIMATE_MARGIN = 1.06;
/** The most candidates to list for an omission. */
const MOST_LISTED = 10;

/** The input for filling the sections. */
interface Plan {
  readonly request: BundleRequest;
  readonly seen: Visible;
  readonly chosen: Chosen;
  readonly provenance: Provenance;
}

/** Builds the bundle for a request. Its head alone may exceed a very small `maxTokens`. */
export function buildBundle(request: BundleRequest, material: Material): Bundle {
  const plan = planBundle(request, material);
  const most = Math.floor(request.maxTokens / ESTIMATE_MARGIN);
  let room = most;
  let bundle = assemble(plan, room);
  // Headings and notes also take room. Each try shrinks the room of the sections by the excess of the last one.
  while (bundle.token_used_est > most && bundle.sections.length > 0) {
    room -= bundle.token_used_est - most;
    bundle = assemble(plan, room);
  }
  return bundle;
}

function planBundle(request: BundleRequest, material: Material): Plan {
  const intent = intentOf(request);
  const audience = audienceOf(request.channel, material.settings);
  const seen = visible(material, audience);
  const withSuperseded = asksForHistory(request.query);
  const chosen = chooseCandidates({ ...request, intent, withSuperseded }, seen.material);
  const provenance: Provenance = {
    policy_version: material.settings.version,
    intent,
    session: request.session,
    query_terms: [...new Set(tokenize(request.query))],
    candidate_pool_size: chosen.pool,
    filters: filtersOf(audience),
    scoring: SCORING,
    duplicates_folded: chosen.folded,
    conflict_flags: chosen.conflicts,
    read: request.channel === "private" ? material.cost : undefined,
  };
  return { request, seen, chosen, provenance };
}

function filtersOf({ channel, sensitivity }: Audience): Provenance["filters"] {
  const most = SENSITIVITIES.indexOf(sensitivity);
  return { channel, sensitivity_allowed: SENSITIVITIES.slice(0, most + 1) };
}

/** Only private bundles count hidden events, events that those replaced, and unread ones. Other readers would learn that they exist. */
function omissionsIn({ request, seen, chosen }: Plan, filled: Filled): Omission[] {
  const isPrivate = request.channel === "private";
  const dropped = droppedIn(filled, chosen);
  if (isPrivate) {
    for (const ref of seen.replaced) {
      dropped.push({ reason: "superseded", ref });
    }
  }
  const groups = groupBy(dropped, ({ reason, section, artifact }) =>
    [reason, section, artifact].join(" "),
  );
  const omissions = [...groups.values()].map(omissionOf);
  if (isPrivate) {
    omissions.push(...omissionsOfSearch(seen));
  }
  for (const section of seen.material.unavailableSections ?? []) {
    omissions.push({ ...counted("not_here", 1), section });
  }
  return omissions.filter(({ count }) => count > 0);
}

function droppedIn({ taken, left }: Filled, chosen: Chosen): Dropped[] {
  const dropped: Dropped[] = [];
  for (const { section, refs } of left) {
    dropped.push({ reason: "budget", section, ref: refs[0] ?? "" });
  }
  for (const { again = [] } of [...taken, ...left]) {
    for (const ref of again) {
      dropped.push({ reason: "duplicate", ref });
    }
  }
  dropped.push(...chosen.dropped);
  for (const { artifact, refs } of taken) {
    if (artifact !== undefined) {
      dropped.push({ reason: "truncated_tool_output", artifact, ref: refs[0] ?? "" });
    }
  }
  return dropped;
}

function omissionOf(group: readonly Dropped[]): Omission {
  const [{ reason, section, artifact }] = group as [Dropped];
  const candidates = group.slice(0, MOST_LISTED).map(({ ref }) => ref);
  return { reason, section, artifact_id: artifact, count: group.length, candidates };
}

function omissionsOfSearch({ material: { found }, hidden }: Visible): Omission[] {
  const privacy = counted("privacy", hidden);
  if (!found) {
    return [privacy];
  }
  const { isCut, notIndexed } = found;
  const { days, bytes } = notIndexed;
  const unread = `${bytes} bytes of events, ${days.at(-1)} to ${days[0]}`;
  return [
    privacy,
    counted("not_indexed_yet", bytes > 0 ? days.length : 0, unread),
    counted("limit", isCut ? 1 : 0),
  ];
}

function counted(reason: OmissionReason, count: number, note?: string): Omission {
  return { reason, count, candidates: [], note };
}

/** The sum over a section's items is higher than the estimate for it as a whole. */
function measured(section: BundleSection): BundleSection {
  return { ...section, token_est: estimateTokens(sectionText(section)) };
}

/** @param room for the sections, in estimated tokens. */
function assemble(plan: Plan, room: number): Bundle {
  const { request, chosen, provenance, seen } = plan;
  const { budgets } = seen.material.settings;
  const filled = fillSections(chosen.candidates, budgets, Math.max(0, room));
  // The id doesn't depend on the cost of the reads.
  const { read: _, ...same } = provenance;
  const body = {
    budget_tokens: request.maxTokens,
    sections: filled.sections.map(measured),
    omissions: omissionsIn(plan, filled),
    provenance,
  };
  const content = JSON.stringify({ ...body, provenance: same });
  const acb_id = `${BUNDLE_PREFIX}${hash("sha256", content).slice(0, ID_DIGITS)}`;
  return { acb_id, token_used_est: estimateTokens(bundleText({ acb_id, ...body })), ...body };
}

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

interface Filled {
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
 * @param candidates the best of each section first. @param total estimated tokens. @internal
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
  for (const section of inOrder(sections, ORDER_OF_REST)) {
    rest -= refill(section, rest);
  }
  const filled = inOrder(sections, SECTIONS).filter(({ taken }) => taken.length > 0);
  const taken = filled.flatMap((section) => section.taken);
  const isTaken = new Set(taken);
  const left = candidates.filter((candidate) => !isTaken.has(candidate));
  return { sections: filled.map(bundleSection), taken, left };
}

function bundleSection({ name, taken, tokens }: Section): BundleSection {
  return { name, token_est: tokens, items: taken.map(itemOf) };
}

function inOrder(sections: readonly Section[], names: readonly SectionName[]): Section[] {
  return sections.toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
}

/** Divides room by the sections' caps. @returns the tokens used. */
function fillByShare(sections: readonly Section[], room: number): number {
  const caps = sections.reduce((sum, { cap }) => sum + cap, 0);
  let used = 0;
  for (const section of sections) {
    used += refill(section, Math.floor((room * section.cap) / Math.max(1, caps)));
  }
  return used;
}

/** Fills a section again with more room, up to its cap. @returns the additional tokens that it uses. */
function refill(section: Section, more: number): number {
  const before = section.tokens;
  const room = Math.min(before + more, section.cap);
  const taken: Candidate[] = [];
  let used = HEADING;
  for (const candidate of section.candidates) {
    const tokens = sizeOf(candidate);
    if (used + tokens > room) {
      continue;
    }
    taken.push(candidate);
    used += tokens;
  }
  section.taken = taken;
  section.tokens = taken.length > 0 ? used : 0;
  return section.tokens - before;
}

const sizeOf = memoizeByObject(({ text }: Candidate) => estimateTokens(text) + LINE);
