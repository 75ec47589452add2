/** Chooses what a bundle may hold, section by section, the best first. Pure. (docs/design/sessions.md, "The bundle") */
import { oneLine } from "../../ground/core/text.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";
import { type Event, eventText, identityIn, SHORT_LENGTH } from "../kinds/event.ts";
import { isFromPerson } from "../kinds/message.ts";
import { type Decision, decisionsOf } from "../projections/decisions.ts";
import { opposedAmong } from "../projections/opposed.ts";
import { type Pin, pinsOf } from "../projections/pins.ts";
import type { Moment } from "../projections/relevant-files.ts";
import type { FoundChunk } from "../store.ts";
import { eventNamed } from "../storing/named-ids.ts";
import type { OmissionReason } from "./bundle.ts";
import { block, type Candidate } from "./candidates.ts";
import { type Claim, conflictsIn } from "./conflicts.ts";
import type { Material } from "./gather.ts";
import type { BundleRequest, Intent } from "./request.ts";
import { type Scored, scored, WEIGHTS, weakMatches } from "./scoring.ts";
import { decisionCandidates, isToldWhole } from "./sections/decisions.ts";
import { evidenceCandidates } from "./sections/evidence.ts";
import { decisionsNamed, handoffCandidates, handoffIn, MOST_EVIDENCE } from "./sections/handoff.ts";
import { windowCandidates } from "./sections/recent-window.ts";
import { isPinToldWhole, stateOf, taskStateCandidates } from "./sections/task-state.ts";
import { toolStateCandidates } from "./sections/tool-state.ts";
import type { SectionName } from "./settings/budgets.ts";

interface Query {
  readonly terms: ReadonlySet<string>;
  readonly withSuperseded: boolean;
}

/** What is no candidate, and why. */
export interface Dropped {
  readonly reason: OmissionReason;
  readonly ref: string;
  readonly section?: SectionName;
}

type Request = BundleRequest & { readonly intent: Intent };

export function chooseCandidates(request: Request, material: Material, query: Query) {
  const packet =
    request.handoff === undefined ? undefined : handoffIn(material.ledger, request.handoff);
  const written = writtenCandidates(material);
  const found = scored(material.found?.hits ?? [], WEIGHTS[request.intent], material.now);
  const made = decisionsOf(material.ledger);
  const pins = pinsOf(material.ledger);
  const gone = query.withSuperseded ? new Set<string>() : superseded(made, pins, material);
  const said = whatIsShown(found, material, gone, query.terms, request.maxTokens);
  const { shown, conflicts, contradicted } = said;
  const dropped: Dropped[] = [...material.lessons.near.map(hardlyMatching), ...said.dropped];
  const holds = ({ id }: Event) => !gone.has(identityIn(id)) && !contradicted.has(id);
  const noLonger = (events: readonly Event[]): Dropped[] =>
    events
      .filter((event) => !holds(event))
      .map(({ id }) => ({ reason: contradicted.has(id) ? "contradicted" : "superseded", ref: id }));
  const room = Math.min(
    request.maxTokens,
    material.settings.budgets.sections.retrieved_evidence.max_tokens,
  );
  const named = packet && decisionsNamed(packet, made);
  // Where work goes on, and for who is new, it is the newest that count.
  const isSearched = request.intent !== "onboarding" && material.found !== undefined;
  // What was said beside it lifts a hit: a decision stands alone, so it has to have a word of the query itself.
  const hasTerm = ({ hit: { event, text } }: Scored) =>
    event.kind === "decision" && tokenize(text).some((term) => query.terms.has(term));
  const foundIds = isSearched ? found.filter(hasTerm).map(({ hit }) => hit.event.id) : undefined;
  const decisions = decisionCandidates(made, { ...query, found: foundIds }).filter(
    ({ decision = "" }) => !named || named.has(identityIn(decision).slice(-SHORT_LENGTH)),
  );
  const isCandidate = new Set(decisions.map(({ decision }) => decision));
  const opposed = opposedAmong(
    made.filter(({ id, status }) => isCandidate.has(id) && status === "active"),
  );
  const pool =
    material.window.length +
    (material.found?.hits.length ?? 0) +
    decisions.length +
    material.referred.length;
  if (packet) {
    const given = material.referred.slice(0, MOST_EVIDENCE);
    const packed = given.filter(holds).map((event) => ({ event, label: "" }));
    const evidence = evidenceCandidates([], packed, query.terms, room);
    const candidates = [
      ...written,
      ...handoffCandidates(packet),
      ...decisions,
      ...evidence.candidates,
    ];
    return {
      candidates,
      dropped: [...dropped, ...noLonger(given)],
      pool,
      folded: evidence.folded,
      conflicts,
      opposed,
    };
  }
  const isPinned = new Set(pins.flatMap(({ ref }) => (ref === undefined ? [] : identityOf(ref))));
  const pinLines = pins.filter(isPinToldWhole);
  const saidByPin = new Set(pinLines.map(({ text }) => oneLine(text)));
  const pinned = material.referred.filter(
    (event) => isPinned.has(identityIn(event.id)) && !saidByPin.has(oneLine(eventText(event))),
  );
  const told = new Set([
    ...made.filter(isToldWhole).flatMap(({ id }) => (isCandidate.has(id) ? identityIn(id) : [])),
    ...pinLines.map(({ id }) => identityIn(id)),
  ]);
  const others = shown.filter(({ hit }) => !told.has(identityIn(hit.event.id)));
  const given = [
    ...pinned.filter(holds).map((event) => ({ event, label: "pinned, " })),
    ...material.referred.flatMap((event) =>
      isPinned.has(identityIn(event.id)) ? [] : { event, label: "" },
    ),
  ];
  const evidence = evidenceCandidates(others, given, query.terms, room);
  const inEvidence = new Set(evidence.candidates.flatMap(({ refs }) => refs.map(identityOf)));
  const moment = momentOf(request, material);
  // An agent has the last of its session before its eyes, but for one that takes it up, or that was compacted.
  const goesOn = request.intent === "continue" || moment === "after compaction";
  return {
    candidates: [
      ...written,
      ...taskStateCandidates(material, request.session, material.branch),
      ...decisions,
      ...evidence.candidates,
      ...(goesOn
        ? windowCandidates(material.window, query.terms, (identity) => inEvidence.has(identity))
        : []),
      ...toolStateCandidates(material.recent, found, { ...request, moment }),
    ],
    dropped: [...dropped, ...noLonger(pinned)],
    pool,
    folded: evidence.folded,
    conflicts,
    opposed,
  };
}

const hardlyMatching = (ref: string): Dropped => ({
  reason: "weak_match",
  section: "lessons",
  ref: `lesson:${ref}`,
});

/** The views, line by line so that a long one is shown as far as it fits, and the lessons. */
function writtenCandidates({ views, lessons }: Material): Candidate[] {
  return [
    ...views.flatMap(({ name, text }) => {
      const lines = text.split("\n").filter((line) => line.trim() !== "");
      const section = name === "identity" ? name : "rules";
      return lines.map(
        (line): Candidate => ({ section, refs: [`view:${name}`], text: () => block(line) }),
      );
    }),
    ...lessons.matching.map(
      ({ ref, text }): Candidate => ({ section: "lessons", refs: [`lesson:${ref}`], text }),
    ),
  ];
}

/** Identities of decisions that a later one replaced, and of pins that were replaced or taken back. */
function superseded(
  made: readonly Decision[],
  pins: readonly Pin[],
  { ledger }: Material,
): ReadonlySet<string> {
  const inForce = new Set(pins.map(({ id }) => id));
  return new Set(
    [
      ...made.filter(({ status }) => status === "superseded"),
      ...ledger.filter(({ id, kind }) => kind === "pin" && !inForce.has(id)),
    ].map(({ id }) => identityIn(id)),
  );
}

/** Hides summaries that rest on nothing or are contradicted, superseded decisions and weak matches. @param gone identities of what is superseded. */
function whatIsShown(
  found: readonly Scored[],
  { ledger, referred, besideSummaries }: Material,
  gone: ReadonlySet<string>,
  asked: ReadonlySet<string>,
  maxTokens: number,
) {
  const weak = weakMatches(found, maxTokens);
  const hits = found.map(({ hit }) => hit);
  const isFound = new Set(hits.map(({ event }) => event.id));
  const pinned = referred.filter(({ kind, id }) => kind === "summary" && !isFound.has(id));
  const believed = hits.filter(({ event }) => event.kind === "summary" && event.refs.length > 0);
  const said = [...hits, ...besideSummaries].filter(({ event }) => SAID.includes(event.kind));
  const decided = ledger.filter(({ kind }) => kind === "decision");
  const conflicts = conflictsIn(
    [...believed, ...pinned.map((event) => ({ event, text: eventText(event) }))].map(claimOf),
    [
      ...said.map(claimOf),
      ...decided.map(({ id, ts, content }) => ({ id, ts, text: content.decision ?? "" })),
    ],
    asked,
  );
  const contradicted = new Set(conflicts.map(({ flag }) => flag.summary));
  const reasonOf = (each: Scored): OmissionReason | undefined => {
    const { event } = each.hit;
    if (gone.has(identityIn(event.id))) return "superseded";
    if (event.kind === "summary" && event.refs.length === 0) return "no_refs";
    if (event.kind === "summary" && contradicted.has(event.id)) return "contradicted";
    return weak.has(each) ? "weak_match" : undefined;
  };
  return {
    contradicted,
    conflicts: conflicts.flatMap(({ flag, isAsked }) => (isAsked ? flag : [])),
    shown: found.filter((each) => reasonOf(each) === undefined),
    dropped: found.flatMap((each) => {
      const reason = reasonOf(each);
      return reason === undefined ? [] : [{ reason, ref: each.hit.id }];
    }),
  };
}

/** Kinds of events that count more than what a summary believes. */
const SAID: readonly string[] = ["message", "decision"];

const claimOf = ({ event, text }: Pick<FoundChunk, "event" | "text">): Claim => ({
  id: event.id,
  ts: event.ts,
  text,
});

const identityOf = (ref: string): string => identityIn(eventNamed(ref));

function momentOf({ session }: Request, { recent, window }: Material): Moment {
  const last = window.find((event) => isFromPerson(event) || isCompaction(event));
  if (last && isCompaction(last)) return "after compaction";
  return stateOf(recent, session)?.request === undefined ? "first prompt" : "later prompt";
}

/** Since then nobody has asked for anything: the session goes on with what it was about. */
function isCompaction({ kind, content }: Event): boolean {
  return (
    (kind === "session" && content.event === "compact") ||
    (kind === "summary" && content.of === "compaction")
  );
}
