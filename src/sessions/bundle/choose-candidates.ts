/** Chooses the candidates for each section of a bundle, the best first. Pure. (docs/design/sessions.md, "The bundle") */
import { oneLine } from "../../ground/core/text.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";
import {
  type BriefEvent,
  type Event,
  eventText,
  identityIn,
  SHORT_LENGTH,
} from "../kinds/event.ts";
import { isFromPerson } from "../kinds/message.ts";
import { decisionsOf } from "../projections/decisions.ts";
import { findDecisions } from "../projections/find-decisions.ts";
import { pinsOf } from "../projections/pins.ts";
import type { Moment } from "../projections/relevant-files.ts";
import { eventNamed } from "../storing/named-ids.ts";
import type { BundleRequest, Intent } from "./bundle.ts";
import { block, type Candidate } from "./candidates.ts";
import type { ConflictFlag } from "./claims/conflicts.ts";
import {
  type Dropped,
  type Judged,
  judgeHits,
  type Query,
  type Statements,
} from "./claims/judge-hits.ts";
import type { Material } from "./material.ts";
import { type Scored, scored, WEIGHTS } from "./scoring.ts";
import { decisionCandidates, isToldWhole } from "./sections/decisions.ts";
import { evidenceCandidates, type Given } from "./sections/evidence.ts";
import { decisionsNamed, handoffCandidates, handoffIn, MOST_EVIDENCE } from "./sections/handoff.ts";
import { windowCandidates } from "./sections/recent-window.ts";
import { isPinToldWhole, stateOf, taskStateCandidates } from "./sections/task-state.ts";
import { toolStateCandidates } from "./sections/tool-state.ts";

type Request = BundleRequest & { readonly intent: Intent };

export interface Chosen {
  /** The best of each section first. */
  readonly candidates: readonly Candidate[];
  readonly dropped: readonly Dropped[];
  /** The number of parts of the session log that were considered. */
  readonly pool: number;
  /** The number of repeats that were folded into another item. */
  readonly folded: number;
  readonly conflicts: readonly ConflictFlag[];
}

/** The request, with the material that was read and judged for it. */
interface Choice extends Statements {
  readonly request: Request;
  readonly material: Material;
  readonly query: Query;
  /** The hits with their scores, best first. */
  readonly found: readonly Scored[];
  readonly judged: Judged;
}

type Parts = Pick<Chosen, "candidates" | "dropped" | "folded">;

export function chooseCandidates(request: Request, material: Material, query: Query): Chosen {
  const choice = readAndJudge(request, material, query);
  const packet = packetOf(choice);
  const decisions = packet ? decisionsOfHandoff(packet, choice) : matchingDecisions(choice);
  const parts = packet
    ? partsOfHandoff(packet, decisions, choice)
    : partsForQuery(decisions, choice);
  const nearLessons = material.lessons.near.map(hardlyMatching);
  const { window, referred } = material;
  return {
    candidates: [...writtenCandidates(material), ...parts.candidates],
    dropped: [...nearLessons, ...choice.judged.dropped, ...parts.dropped],
    pool: window.length + choice.found.length + decisions.length + referred.length,
    folded: parts.folded,
    conflicts: choice.judged.conflicts,
  };
}

function readAndJudge(request: Request, material: Material, query: Query): Choice {
  const found = scored(material.found?.hits ?? [], WEIGHTS[request.intent], material.now);
  const statements = { decisions: decisionsOf(material.ledger), pins: pinsOf(material.ledger) };
  const judged = judgeHits(found, material, statements, query, request.maxTokens);
  return { request, material, query, found, judged, ...statements };
}

function packetOf({ request, material }: Choice): BriefEvent | undefined {
  return request.handoff === undefined ? undefined : handoffIn(material.ledger, request.handoff);
}

/** The decisions that match the query. Without a search, all of them. */
function matchingDecisions({ request, material, query, decisions, found }: Choice): Candidate[] {
  const { terms, withSuperseded } = query;
  if (request.intent === "onboarding") {
    // Many events contain the words of such a question, so a search of the log may not reach a decision.
    const ids = findDecisions(decisions, { query: request.query }).map(({ id }) => id);
    return decisionCandidates(decisions, { found: ids, withSuperseded });
  }
  // Neighbours raise a hit's score. A decision is shown without them, so it must contain a word of the query itself.
  const matching = found.filter(
    ({ hit: { event, text } }) =>
      event.kind === "decision" && tokenize(text).some((term) => terms.has(term)),
  );
  const ids = material.found ? matching.map(({ hit }) => hit.event.id) : undefined;
  return decisionCandidates(decisions, { found: ids, withSuperseded });
}

function decisionsOfHandoff(packet: BriefEvent, { decisions, query }: Choice): Candidate[] {
  const named = decisionsNamed(packet, decisions);
  const { withSuperseded } = query;
  return decisionCandidates(decisions, { found: undefined, withSuperseded }).filter(
    ({ decision = "" }) => named.has(identityIn(decision).slice(-SHORT_LENGTH)),
  );
}

/** Shows the packet instead of the conversation that it summarizes. */
function partsOfHandoff(
  packet: BriefEvent,
  decisions: readonly Candidate[],
  choice: Choice,
): Parts {
  const given = choice.material.referred.slice(0, MOST_EVIDENCE);
  const valid = given.filter((event) => choice.judged.invalidity(event) === undefined);
  const unlabelled = valid.map((event) => ({ event, label: "" }));
  const evidence = evidenceCandidates([], unlabelled, choice.query.terms, roomOfEvidence(choice));
  return {
    candidates: [...handoffCandidates(packet), ...decisions, ...evidence.candidates],
    dropped: invalidAmong(given, choice),
    folded: evidence.folded,
  };
}

function partsForQuery(decisions: readonly Candidate[], choice: Choice): Parts {
  const { request, material, query, found, judged } = choice;
  const pinned = pinnedEvents(choice);
  const toldElsewhere = toldBySections(decisions, choice);
  const hits = judged.shown.filter(({ hit }) => !toldElsewhere.has(identityIn(hit.event.id)));
  const given = [...givenByPins(pinned, choice), ...givenOtherwise(choice)];
  const evidence = evidenceCandidates(hits, given, query.terms, roomOfEvidence(choice));
  const moment = momentOf(choice);
  return {
    candidates: [
      ...taskStateCandidates(material, request.session, material.branch),
      ...decisions,
      ...evidence.candidates,
      ...windowFor(evidence.candidates, moment, choice),
      ...toolStateCandidates(material.recent, found, { ...request, moment }),
    ],
    dropped: invalidAmong(pinned, choice),
    folded: evidence.folded,
  };
}

const roomOfEvidence = ({ request, material }: Choice): number =>
  Math.min(request.maxTokens, material.settings.budgets.sections.retrieved_evidence.max_tokens);

function invalidAmong(events: readonly Event[], { judged }: Choice): Dropped[] {
  const invalid: Dropped[] = [];
  for (const event of events) {
    const reason = judged.invalidity(event);
    if (reason !== undefined) invalid.push({ reason, ref: event.id });
  }
  return invalid;
}

/** The pinned events that no line about a pin repeats word for word. */
function pinnedEvents(choice: Choice): Event[] {
  const isPinned = pinnedIdentities(choice);
  const told = new Set(choice.pins.filter(isPinToldWhole).map(({ text }) => oneLine(text)));
  return choice.material.referred.filter(
    (event) => isPinned.has(identityIn(event.id)) && !told.has(oneLine(eventText(event))),
  );
}

function pinnedIdentities({ pins }: Choice): ReadonlySet<string> {
  return new Set(pins.flatMap(({ ref }) => (ref === undefined ? [] : [identityOf(ref)])));
}

function givenByPins(pinned: readonly Event[], { judged }: Choice): Given[] {
  const valid = pinned.filter((event) => judged.invalidity(event) === undefined);
  return valid.map((event) => ({ event, label: "pinned, " }));
}

/** Events that were referred to but not pinned introduce the project to a newcomer, so they come first. */
function givenOtherwise(choice: Choice): Given[] {
  const isPinned = pinnedIdentities(choice);
  const others = choice.material.referred.filter(({ id }) => !isPinned.has(identityIn(id)));
  return others.map((event) => ({ event, label: "", leads: true }));
}

/** Identities of decisions and pins that other sections show in full. */
function toldBySections(
  candidates: readonly Candidate[],
  { decisions, pins }: Choice,
): ReadonlySet<string> {
  const isCandidate = new Set(candidates.map(({ decision }) => decision));
  const told = [
    ...decisions.filter((made) => isCandidate.has(made.id) && isToldWhole(made)),
    ...pins.filter(isPinToldWhole),
  ];
  return new Set(told.map(({ id }) => identityIn(id)));
}

/** An agent usually still sees the end of its session, but not when it resumes the session or after a compaction. */
function windowFor(
  evidence: readonly Candidate[],
  moment: Moment,
  { request, material, query }: Choice,
): Candidate[] {
  if (request.intent !== "continue" && moment !== "after compaction") return [];
  const shown = new Set(evidence.flatMap(({ refs }) => refs.map(identityOf)));
  return windowCandidates(material.window, query.terms, (identity) => shown.has(identity));
}

const hardlyMatching = (ref: string): Dropped => ({
  reason: "weak_match",
  section: "lessons",
  ref: `lesson:${ref}`,
});

/** The views line by line, so a long one is shown as far as it fits, and the lessons. */
function writtenCandidates({ views, lessons }: Material): Candidate[] {
  const ofViews = views.flatMap(({ name, text }) => {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    const section = name === "identity" ? name : "rules";
    return lines.map(
      (line): Candidate => ({ section, refs: [`view:${name}`], text: () => block(line) }),
    );
  });
  const ofLessons = lessons.matching.map(
    ({ ref, text }): Candidate => ({ section: "lessons", refs: [`lesson:${ref}`], text }),
  );
  return [...ofViews, ...ofLessons];
}

const identityOf = (ref: string): string => identityIn(eventNamed(ref));

function momentOf({ request, material: { recent, window } }: Choice): Moment {
  const last = window.find((event) => isFromPerson(event) || isCompaction(event));
  if (last && isCompaction(last)) return "after compaction";
  const { request: asked } = stateOf(recent, request.session) ?? {};
  return asked === undefined ? "first prompt" : "later prompt";
}

function isCompaction({ kind, content }: Event): boolean {
  return (
    (kind === "session" && content.event === "compact") ||
    (kind === "summary" && content.of === "compaction")
  );
}
