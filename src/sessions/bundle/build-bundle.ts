/** Builds a bundle. The same material gives the same bytes. Pure. (docs/design/sessions.md, "The bundle") */
import { hash } from "node:crypto";
import { groupBy } from "../../ground/core/collections.ts";
import { estimateTokens } from "../../ground/core/tokens.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";
import { SENSITIVITIES } from "../kinds/event.ts";
import { type Audience, audienceOf, type Visible, visible } from "./audience.ts";
import {
  BUNDLE_PREFIX,
  type Bundle,
  type BundleRequest,
  type Candidate,
  type Material,
  type Omission,
  type OmissionReason,
  type Provenance,
} from "./bundle.ts";
import { bundleText, sectionText } from "./bundle-text.ts";
import { type Chosen, chooseCandidates, type Dropped } from "./choose-candidates.ts";
import { type Filled, fillSections } from "./fill-sections.ts";
import { asksForHistory, intentOf } from "./intent.ts";
import { SCORING } from "./scoring.ts";
import type { SectionName } from "./settings/budgets.ts";

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

export function buildBundle(request: BundleRequest, material: Material): Bundle {
  const plan = planBundle(request, material);
  const { budgets } = material.settings;
  const mostTokens = Math.floor(request.maxTokens / ESTIMATE_MARGIN);
  let sectionBudget = mostTokens;
  while (true) {
    const filled = fillSections(plan.chosen.candidates, budgets, Math.max(0, sectionBudget));
    const bundle = assemble(plan, filled);
    const excess = bundle.token_used_est - mostTokens;
    if (excess <= 0 || bundle.sections.length === 0) return bundle;
    // Headings and notes didn't fit.
    sectionBudget -= excess;
  }
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
function omissionsIn({ request, seen, chosen }: Plan, { taken, left }: Filled): Omission[] {
  const isOwn = request.channel === "private";
  const superseded = seen.replaced.map((ref): Dropped => ({ reason: "superseded", ref }));
  const repeats = [...taken, ...left].flatMap(({ again = [] }) => again);
  const dropped: readonly Dropped[] = [
    ...left.map(({ section, refs }) => withoutRoom(section, refs)),
    ...repeats.map((ref): Dropped => ({ reason: "duplicate", ref })),
    ...chosen.dropped,
    ...(isOwn ? superseded : []),
    ...taken.flatMap(shownInPart),
  ];
  const groups = groupBy(dropped, ({ reason, section, artifact }) =>
    [reason, section, artifact].join(" "),
  );
  const unavailable = seen.material.unavailableSections ?? [];
  const omissions = [
    ...[...groups.values()].map(omissionOf),
    ...(isOwn ? omissionsOfSearch(seen) : []),
    ...unavailable.map((section) => ({ ...counted("not_here", 1), section })),
  ];
  return omissions.filter(({ count }) => count > 0);
}

function withoutRoom(section: SectionName, [ref = ""]: readonly string[]): Dropped {
  return { reason: "budget", section, ref };
}

function shownInPart({ artifact, refs: [ref = ""] }: Candidate): Dropped[] {
  return artifact === undefined ? [] : [{ reason: "truncated_tool_output", ref, artifact }];
}

function omissionOf(group: readonly Dropped[]): Omission {
  const [{ reason, section, artifact }] = group as [Dropped];
  const candidates = group.slice(0, MOST_LISTED).map(({ ref }) => ref);
  return { reason, section, artifact_id: artifact, count: group.length, candidates };
}

function omissionsOfSearch({ material: { found }, hidden }: Visible): Omission[] {
  const privacy = counted("privacy", hidden);
  if (!found) return [privacy];
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

function assemble(plan: Plan, filled: Filled): Bundle {
  const { request, provenance } = plan;
  const { read: _, ...same } = provenance;
  // The sum over a section's items is higher than the estimate for it as a whole.
  const sections = filled.sections.map((section) => ({
    ...section,
    token_est: estimateTokens(sectionText(section)),
  }));
  const body = {
    budget_tokens: request.maxTokens,
    sections,
    omissions: omissionsIn(plan, filled),
    provenance,
  };
  const content = JSON.stringify({ ...body, provenance: same });
  const acb_id = `${BUNDLE_PREFIX}${hash("sha256", content).slice(0, ID_DIGITS)}`;
  return { acb_id, token_used_est: estimateTokens(bundleText({ acb_id, ...body })), ...body };
}
