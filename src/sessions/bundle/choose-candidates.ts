/** Chooses the candidates for each section of a bundle, the best first. Pure. (docs/design/sessions.md, "The bundle") */
import { indented, oneLine, withoutMarks } from "../../ground/core/text.ts";
import { quoted } from "../answers/render.ts";
import {
  type BriefEvent,
  type Event,
  eventText,
  identityIn,
  searchedTexts,
} from "../kinds/event.ts";
import { isFromPerson } from "../kinds/message.ts";
import { type Decision, decisionsOf, findDecisions, PLAN } from "../projections/decisions.ts";
import { type Pin, pinsOf } from "../projections/pins.ts";
import type { FoundChunk } from "../store.ts";
import { eventNamed } from "../storing/named-ids.ts";
import type { BundleRequest, Candidate, Intent, Material, OmissionReason } from "./bundle.ts";
import { type Claim, type ConflictFlag, conflictsIn } from "./conflicts.ts";
import { type Scored, scored, weakMatches } from "./scoring.ts";
import { evidenceCandidates, type Given, windowCandidates } from "./sections/evidence.ts";
import {
  decisionCandidates,
  decisionsNamed,
  handoffCandidates,
  handoffIn,
} from "./sections/handoff.ts";
import { taskStateCandidates, toolStateCandidates } from "./sections/task-state.ts";
import type { SectionName } from "./settings/settings.ts";

export interface Request extends BundleRequest {
  readonly intent: Intent;
  /** Whether the query also asks for superseded decisions. */
  readonly withSuperseded: boolean;
}

/** An excluded item and the reason. */
export interface Dropped {
  readonly reason: OmissionReason;
  readonly ref: string;
  readonly section?: SectionName;
  readonly artifact?: string;
}

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

/** Identities of events that no longer count, and why. */
type Invalid = ReadonlyMap<string, "superseded" | "contradicted">;

/** Kinds of events that count more than a summary. */
const COUNTS_MORE: readonly string[] = ["message", "decision"];

export function chooseCandidates(request: Request, material: Material): Chosen {
  const { ledger, window, referred, recent } = material;
  const found = scored(material.found?.hits ?? [], material.now);
  const decisions = decisionsOf(ledger);
  const pins = pinsOf(ledger);
  const conflicts = conflictsOf(found, material, decisions);
  const invalid = invalidIn(request, { ledger, decisions, pins }, conflicts);
  const packet = request.handoff === undefined ? undefined : handoffIn(ledger, request.handoff);
  const shownDecisions = decisionsFor(request, packet, decisions);
  const decisionLines = decisionCandidates(shownDecisions);
  const state = packet
    ? handoffCandidates(packet)
    : taskStateCandidates(material, request.session, material.branch);
  const told = [...decisionLines, ...state];

  const weak = weakMatches(found, request.maxTokens);
  const hits = sift(
    found,
    ({ hit }) => hit.id,
    (one) => reasonAgainst(one.hit.event, invalid) ?? (weak.has(one) ? "weak_match" : undefined),
  );
  const given = sift(
    givenFor(request, material, pins, told),
    ({ event }) => event.id,
    ({ event }) => invalid.get(identityIn(event.id)),
  );
  const evidence = evidenceCandidates(
    hits.valid.filter(({ hit }) => !isToldBy(told, hit.event)),
    given.valid,
    roomOfEvidence(request, material),
  );
  const others = packet
    ? []
    : [
        ...windowFor(request, window, evidence.candidates),
        ...toolStateCandidates(recent, found, request),
      ];
  return {
    candidates: [
      ...writtenCandidates(material),
      ...decisionLines,
      ...evidence.candidates,
      ...state,
      ...others,
    ],
    dropped: [...hits.dropped, ...given.dropped],
    pool: window.length + found.length + shownDecisions.length + referred.length,
    folded: evidence.folded,
    conflicts,
  };
}

/** Whether its line shows the whole decision or pin. Lines cut long texts. */
function isToldBy(told: readonly Candidate[], event: Event): boolean {
  const hasLine = event.kind === "decision" || event.kind === "pin";
  return hasLine && isShownBy(told, event.id, searchedTexts(event));
}

/** @param id of a decision or pin. */
function isShownBy(told: readonly Candidate[], id: string, texts: readonly string[]): boolean {
  const line = told.find(({ refs: [ref = ""] }) => identityIn(ref) === identityIn(id));
  return line !== undefined && texts.every((text) => line.text.includes(whole(text)));
}

/** As a line would show it uncut. The label of a plan replaces its first words. */
const whole = (text: string): string => quoted(text.replace(PLAN, ""), Number.POSITIVE_INFINITY);

/** The decisions that a handoff lists or that match the query, best first. To continue, all of them, the newest first. */
function decisionsFor(
  { query, intent, withSuperseded }: Request,
  packet: BriefEvent | undefined,
  decisions: readonly Decision[],
): Decision[] {
  const status = withSuperseded ? "all" : "active";
  if (packet) {
    return findDecisions(decisionsNamed(packet, decisions), { status });
  }
  return findDecisions(decisions, { query: intent === "continue" ? "" : query, status });
}

/** Compares the summaries that may be shown with messages and with all decisions, which needn't match the query. */
function conflictsOf(
  found: readonly Scored[],
  { referred, besideSummaries }: Material,
  decisions: readonly Decision[],
): ConflictFlag[] {
  const hits = found.map(({ hit }) => hit);
  const isFound = new Set(hits.map(({ event }) => event.id));
  const pinned = referred.filter(({ kind, id }) => kind === "summary" && !isFound.has(id));
  const summaries = [
    ...hits.filter(({ event }) => event.kind === "summary" && event.refs.length > 0),
    ...pinned.map((event) => ({ event, text: eventText(event) })),
  ];
  const said = [...hits, ...besideSummaries].filter(({ event }) =>
    COUNTS_MORE.includes(event.kind),
  );
  const others = [...said.map(claimOf), ...decisions.map(claimOfDecision)];
  return conflictsIn(summaries.map(claimOf), others);
}

const claimOf = ({ event, text }: Pick<FoundChunk, "event" | "text">): Claim => ({
  id: event.id,
  ts: event.ts,
  text,
});

function claimOfDecision({ id, ts, decision, status, alternatives }: Decision): Claim {
  return { id, ts, text: decision, rejected: status === "active" ? alternatives : [] };
}

/** Superseded decisions, pins that were replaced or removed, and contradicted summaries. */
function invalidIn(
  { withSuperseded }: Request,
  {
    ledger,
    decisions,
    pins,
  }: Pick<Material, "ledger"> & { decisions: readonly Decision[]; pins: readonly Pin[] },
  conflicts: readonly ConflictFlag[],
): Invalid {
  const invalid = new Map<string, "superseded" | "contradicted">();
  const active = decisions.filter(({ status }) => status === "active");
  const inForce = new Set([...active, ...pins].map(({ id }) => id));
  const replaceable = ledger.filter(({ kind }) => kind === "decision" || kind === "pin");
  for (const { id } of replaceable) {
    if (!withSuperseded && !inForce.has(id)) {
      invalid.set(identityIn(id), "superseded");
    }
  }
  for (const { summary } of conflicts) {
    invalid.set(identityIn(summary), "contradicted");
  }
  return invalid;
}

/** Separates the items that a bundle may show from the others. */
function sift<Item>(
  items: readonly Item[],
  refOf: (item: Item) => string,
  reasonFor: (item: Item) => OmissionReason | undefined,
) {
  const valid: Item[] = [];
  const dropped: Dropped[] = [];
  for (const item of items) {
    const reason = reasonFor(item);
    if (reason === undefined) {
      valid.push(item);
    } else {
      dropped.push({ reason, ref: refOf(item) });
    }
  }
  return { valid, dropped };
}

function reasonAgainst(event: Event, invalid: Invalid): OmissionReason | undefined {
  const isUnsupported = event.kind === "summary" && event.refs.length === 0;
  return isUnsupported ? "no_refs" : invalid.get(identityIn(event.id));
}

/** The events that are shown whether or not the search found them: handed over, pinned, or introducing the project. */
function givenFor(
  { handoff }: Request,
  { referred }: Material,
  pins: readonly Pin[],
  told: readonly Candidate[],
): Given[] {
  const pinned = new Map<string, Pin>();
  for (const pin of pins) {
    if (pin.ref !== undefined) {
      pinned.set(identityIn(eventNamed(pin.ref)), pin);
    }
  }
  const given: Given[] = [];
  for (const event of referred) {
    const pin = handoff === undefined ? pinned.get(identityIn(event.id)) : undefined;
    const text = eventText(event);
    const isTold =
      pin !== undefined && oneLine(pin.text) === oneLine(text) && isShownBy(told, pin.id, [text]);
    if (!isTold) {
      given.push({ event, label: pin ? "pinned, " : "" });
    }
  }
  return given;
}

const roomOfEvidence = ({ maxTokens }: Request, { settings }: Material): number =>
  Math.min(maxTokens, settings.budgets.sections.retrieved_evidence.max_tokens);

/** An agent usually still sees the end of its session, but not when it resumes the session or after a compaction. */
function windowFor(
  { intent }: Request,
  window: readonly Event[],
  evidence: readonly Candidate[],
): Candidate[] {
  const last = window.find((event) => isFromPerson(event) || isCompaction(event));
  const isCompacted = last !== undefined && isCompaction(last);
  if (intent !== "continue" && !isCompacted) {
    return [];
  }
  const refs = evidence.flatMap((candidate) => candidate.refs);
  const shown = new Set(refs.map((ref) => identityIn(eventNamed(ref))));
  return windowCandidates(window.filter(({ id }) => !shown.has(identityIn(id))));
}

function isCompaction({ kind, content }: Event): boolean {
  return (
    (kind === "session" && content.event === "compact") ||
    (kind === "summary" && content.of === "compaction")
  );
}

/** The views line by line, so a long one is shown as far as it fits, and the lessons. */
function writtenCandidates({ views, lessons }: Material): Candidate[] {
  const candidates: Candidate[] = [];
  for (const { name, text } of views) {
    const section = name === "identity" ? name : "rules";
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    for (const line of lines) {
      candidates.push({ section, refs: [`view:${name}`], text: indented(withoutMarks(line)) });
    }
  }
  for (const { ref, text } of lessons) {
    candidates.push({ section: "lessons", refs: [`lesson:${ref}`], text });
  }
  return candidates;
}
