/** Makes a bundle of what stores handed over; the same gives the same bytes. Pure. (docs/design/sessions.md, "The bundle") */
import { hash } from "node:crypto";
import { estimateTokens } from "../../ground/core/tokens.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";
import { SENSITIVITIES } from "../kinds/event.ts";
import { audienceOf } from "./audience.ts";
import type { Bundle, BundleSection, Omission, Provenance } from "./bundle.ts";
import { bundleText, sectionText } from "./bundle-text.ts";
import { chooseCandidates } from "./choose-candidates.ts";
import { fillSections } from "./fill-sections.ts";
import type { Material } from "./gather.ts";
import { asksForHistory, intentOf } from "./intent.ts";
import { omissionsOf } from "./omissions.ts";
import type { BundleRequest } from "./request.ts";
import { WEIGHTS } from "./scoring.ts";
import type { SectionName } from "./settings/budgets.ts";
import { visible } from "./visible.ts";

const ID_DIGITS = 16;
/** The estimate may be this much too low, so a bundle is filled that much less. */
const ESTIMATE_MARGIN = 1.06;

export function buildBundle(request: BundleRequest, material: Material): Bundle {
  const intent = intentOf(request);
  const audience = audienceOf(request.channel, material.settings);
  const seen = visible(material, audience);
  const terms = new Set(tokenize(request.query));
  const history = asksForHistory(request.query);
  const chosen = chooseCandidates({ ...request, intent }, seen.material, {
    terms,
    withSuperseded: history,
  });
  const { alpha, beta, gamma, tauDays } = WEIGHTS[intent];
  const from: Omit<Provenance, "conflict_flags"> = {
    policy_version: material.settings.version,
    intent,
    session: request.session,
    query_terms: [...terms],
    candidate_pool_size: chosen.pool,
    filters: {
      channel: request.channel,
      sensitivity_allowed: SENSITIVITIES.slice(0, SENSITIVITIES.indexOf(audience.sensitivity) + 1),
    },
    scoring: { alpha, beta, gamma, tau_days: tauDays },
    duplicates_folded: chosen.folded,
    ...(request.channel === "private" && { read: material.cost }),
  };
  // A count of what is hidden, or of what something hidden replaced, tells of it: in private alone that is the person's own.
  const isOwn = request.channel === "private";
  const { hidden, replaced } = isOwn ? seen : { hidden: 0, replaced: [] };
  const found = isOwn ? seen.material.found : undefined;
  const dropped = [
    ...chosen.dropped,
    ...replaced.map((ref) => ({ reason: "superseded" as const, ref })),
  ];
  const unavailableSections = (material.unavailableSections ?? []).map(unavailable);
  const most = Math.floor(request.maxTokens / ESTIMATE_MARGIN);
  for (let total = most; ; ) {
    const filled = fillSections(chosen.candidates, material.settings.budgets, Math.max(0, total));
    const omissions = [...omissionsOf(filled, dropped, hidden, found), ...unavailableSections];
    const isShown = new Set(filled.taken.map(({ decision }) => decision));
    const opposed = chosen.opposed.filter(
      ({ decision, event }) => isShown.has(decision) || isShown.has(event),
    );
    const provenance = { ...from, conflict_flags: [...chosen.conflicts, ...opposed] };
    const bundle = bundleOf({
      budget_tokens: request.maxTokens,
      sections: filled.sections,
      omissions,
      provenance,
    });
    const over = bundle.token_used_est - most;
    if (over <= 0 || bundle.sections.length === 0)
      return { ...bundle, sections: bundle.sections.map(measured) };
    // Less than they took, and not than they might have taken: so each try leaves something out.
    const taken = filled.sections.reduce((sum, { token_est }) => sum + token_est, 0);
    total = Math.min(total, taken) - over;
  }
}

const unavailable = (section: SectionName): Omission => {
  return { reason: "not_here", section, count: 1, candidates: [] };
};

/** With its part of the whole: single items, as they were weighed one by one, are estimated higher. */
const measured = (section: BundleSection) => ({
  ...section,
  token_est: estimateTokens(sectionText(section)),
});

function bundleOf(body: Omit<Bundle, "acb_id" | "token_used_est">): Bundle {
  const { read: _, ...same } = body.provenance;
  const id = hash("sha256", JSON.stringify({ ...body, provenance: same })).slice(0, ID_DIGITS);
  const bundle = { acb_id: `acb_${id}`, token_used_est: 0, ...body };
  return { ...bundle, token_used_est: estimateTokens(bundleText(bundle)) };
}
