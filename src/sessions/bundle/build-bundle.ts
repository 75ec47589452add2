/** Builds a bundle. The same material gives the same bytes. Pure. (docs/design/sessions.md, "The bundle") */
import { hash } from "node:crypto";
import { groupBy } from "../../ground/core/group-by.ts";
import { estimateTokens } from "../../ground/core/tokens.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";
import { SENSITIVITIES } from "../kinds/event.ts";
import type { SearchResult } from "../store.ts";
import { type Audience, audienceOf, type Visible, visible } from "./audience.ts";
import {
  BUNDLE_PREFIX,
  type Bundle,
  type BundleRequest,
  type BundleSection,
  type Intent,
  type Omission,
  type OmissionReason,
  type Provenance,
} from "./bundle.ts";
import { bundleText, sectionText } from "./bundle-text.ts";
import type { Candidate } from "./candidates.ts";
import { type Chosen, chooseCandidates } from "./choose-candidates.ts";
import type { Dropped } from "./claims/judge-hits.ts";
import { type Filled, fillSections } from "./fill-sections.ts";
import { asksForHistory, intentOf } from "./intent.ts";
import type { Material } from "./material.ts";
import { WEIGHTS } from "./scoring.ts";

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
    if (excess <= 0 || bundle.sections.length === 0) return withMeasuredSections(bundle);
    // Headings and notes didn't fit. Shrink below the tokens actually used: shrinking the old budget could fill the same sections again
    // and never end.
    sectionBudget = Math.min(sectionBudget, tokensUsed(filled)) - excess;
  }
}

function planBundle(request: BundleRequest, material: Material): Plan {
  const intent = intentOf(request);
  const audience = audienceOf(request.channel, material.settings);
  const seen = visible(material, audience);
  const terms = new Set(tokenize(request.query));
  const chosen = chooseCandidates({ ...request, intent }, seen.material, {
    terms,
    withSuperseded: asksForHistory(request.query),
  });
  const provenance: Provenance = {
    policy_version: material.settings.version,
    intent,
    session: request.session,
    query_terms: [...terms],
    candidate_pool_size: chosen.pool,
    filters: filtersOf(audience),
    scoring: scoringOf(intent),
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

function scoringOf(intent: Intent): Provenance["scoring"] {
  const { alpha, beta, gamma, tauDays } = WEIGHTS[intent];
  return { alpha, beta, gamma, tau_days: tauDays };
}

/** Only private bundles count hidden events, events that those replaced, and unread ones. Other readers would learn that they exist. */
function omissionsIn({ request, seen, chosen }: Plan, { taken, left }: Filled): Omission[] {
  const isOwn = request.channel === "private";
  const superseded = seen.replaced.map((ref): Dropped => ({ reason: "superseded", ref }));
  const repeats = [...taken, ...left].flatMap(({ again = [] }) => again);
  const unavailable = seen.material.unavailableSections ?? [];
  const omissions = [
    ...withoutRoom(left),
    listed("duplicate", repeats),
    ...omissionsOfDropped(isOwn ? [...chosen.dropped, ...superseded] : chosen.dropped),
    counted("privacy", isOwn ? seen.hidden : 0),
    ...shownInPart(taken),
    ...(isOwn ? omissionsOfSearch(seen.material.found) : []),
    ...unavailable.map((section) => ({ ...counted("not_here", 1), section })),
  ];
  return omissions.filter(({ count }) => count > 0);
}

function withoutRoom(left: readonly Candidate[]): Omission[] {
  return [...groupBy(left, ({ section }) => section)].map(([section, candidates]) => ({
    ...listed("budget", candidates.flatMap(firstRef)),
    section,
  }));
}

function omissionsOfDropped(dropped: readonly Dropped[]): Omission[] {
  const groups = groupBy(dropped, ({ reason, section }) => `${reason} ${section}`);
  return [...groups.values()].map((group) => {
    const [{ reason, section }] = group as [Dropped];
    return {
      ...listed(
        reason,
        group.map(({ ref }) => ref),
      ),
      section,
    };
  });
}

function shownInPart(taken: readonly Candidate[]): Omission[] {
  const cut = taken.filter(({ artifact }) => artifact !== undefined);
  return cut.map((candidate) => ({
    ...listed("truncated_tool_output", firstRef(candidate)),
    artifact_id: candidate.artifact,
  }));
}

function omissionsOfSearch(found: SearchResult | undefined): Omission[] {
  if (!found) return [];
  const { isCut, notIndexed } = found;
  const { days, bytes } = notIndexed;
  const unread = `${bytes} bytes of events, ${days.at(-1)} to ${days[0]}`;
  return [
    counted("not_indexed_yet", bytes > 0 ? days.length : 0, unread),
    counted("limit", isCut ? 1 : 0),
  ];
}

const firstRef = ({ refs }: Candidate): string[] => refs.slice(0, 1);

function listed(reason: OmissionReason, refs: readonly string[]): Omission {
  return { reason, count: refs.length, candidates: refs.slice(0, MOST_LISTED) };
}

function counted(reason: OmissionReason, count: number, note?: string): Omission {
  return { reason, count, candidates: [], note };
}

function assemble(plan: Plan, filled: Filled): Bundle {
  const { request, provenance } = plan;
  const { read: _, ...same } = provenance;
  const body = {
    budget_tokens: request.maxTokens,
    sections: inOrder(filled.sections, provenance.intent),
    omissions: omissionsIn(plan, filled),
    provenance,
  };
  const content = JSON.stringify({ ...body, provenance: same });
  const acb_id = `${BUNDLE_PREFIX}${hash("sha256", content).slice(0, ID_DIGITS)}`;
  return { acb_id, token_used_est: estimateTokens(bundleText({ acb_id, ...body })), ...body };
}

/** A newcomer first reads the files that introduce the project, then its tasks and decisions. */
function inOrder(sections: readonly BundleSection[], intent: Intent): readonly BundleSection[] {
  if (intent !== "onboarding") return sections;
  const rank = ({ name }: BundleSection) => {
    if (name === "identity" || name === "rules") return 0;
    return name === "retrieved_evidence" ? 1 : 2;
  };
  return sections.toSorted((a, b) => rank(a) - rank(b));
}

const tokensUsed = ({ sections }: Filled): number =>
  sections.reduce((sum, { token_est }) => sum + token_est, 0);

/** Estimates each section as a whole, because the sum over its items is higher. */
function withMeasuredSections(bundle: Bundle): Bundle {
  const sections = bundle.sections.map((section) => ({
    ...section,
    token_est: estimateTokens(sectionText(section)),
  }));
  return { ...bundle, sections };
}
