/** Decides which search hits a bundle may show: not superseded, not contradicted, not unsupported and not too weak. Pure. */
import { type Event, eventText, identityIn } from "../../kinds/event.ts";
import type { Decision } from "../../projections/decisions.ts";
import type { Pin } from "../../projections/pins.ts";
import type { FoundChunk } from "../../store.ts";
import type { OmissionReason } from "../bundle.ts";
import type { Material } from "../material.ts";
import { type Scored, weakMatches } from "../scoring.ts";
import type { SectionName } from "../settings/budgets.ts";
import { type Claim, type Conflict, type ConflictFlag, conflictsIn } from "./conflicts.ts";

/** An excluded item and the reason. */
export interface Dropped {
  readonly reason: OmissionReason;
  readonly ref: string;
  readonly section?: SectionName;
}

export interface Judged {
  /** Best first. */
  readonly shown: readonly Scored[];
  readonly dropped: readonly Dropped[];
  /** The conflicts that the query is about. */
  readonly conflicts: readonly ConflictFlag[];
  /** Why an event no longer counts. Undefined if it does. */
  readonly invalidity: (event: Event) => "superseded" | "contradicted" | undefined;
}

export interface Statements {
  /** All decisions, the earliest first. */
  readonly decisions: readonly Decision[];
  /** The pins in force. */
  readonly pins: readonly Pin[];
}

export interface Query {
  readonly terms: ReadonlySet<string>;
  /** Whether the query also asks for superseded decisions. */
  readonly withSuperseded: boolean;
}

/** Kinds of events that count more than a summary. */
const COUNTS_MORE: readonly string[] = ["message", "decision"];

/** @param found best first. @param maxTokens of the bundle. */
export function judgeHits(
  found: readonly Scored[],
  material: Material,
  statements: Statements,
  query: Query,
  maxTokens: number,
): Judged {
  const superseded = query.withSuperseded
    ? new Set<string>()
    : supersededIn(statements, material.ledger);
  const conflicts = conflictsOf(found, material, statements, query);
  const contradicted = new Set(conflicts.map(({ flag }) => flag.summary));
  const invalidity: Judged["invalidity"] = (event) => {
    if (contradicted.has(event.id)) return "contradicted";
    return superseded.has(identityIn(event.id)) ? "superseded" : undefined;
  };
  const weak = weakMatches(found, maxTokens);
  const reasonAgainst = (scored: Scored): OmissionReason | undefined => {
    const { event } = scored.hit;
    const isUnsupported = event.kind === "summary" && event.refs.length === 0;
    if (isUnsupported) return "no_refs";
    return invalidity(event) ?? (weak.has(scored) ? "weak_match" : undefined);
  };
  const shown: Scored[] = [];
  const dropped: Dropped[] = [];
  for (const scored of found) {
    const reason = reasonAgainst(scored);
    if (reason === undefined) shown.push(scored);
    else dropped.push({ reason, ref: scored.hit.id });
  }
  const asked = conflicts.filter(({ isAsked }) => isAsked);
  return { shown, dropped, conflicts: asked.map(({ flag }) => flag), invalidity };
}

/** Identities of replaced decisions, and of pins that were replaced or removed. */
function supersededIn(
  { decisions, pins }: Statements,
  ledger: Material["ledger"],
): ReadonlySet<string> {
  const inForce = new Set(pins.map(({ id }) => id));
  const replaced = decisions.filter(({ status }) => status === "superseded");
  const removed = ledger.filter(({ id, kind }) => kind === "pin" && !inForce.has(id));
  return new Set([...replaced, ...removed].map(({ id }) => identityIn(id)));
}

/** Compares the summaries that may be shown with messages and with all decisions, which needn't match the query. */
function conflictsOf(
  found: readonly Scored[],
  { referred, besideSummaries }: Material,
  { decisions }: Statements,
  { terms }: Query,
): Conflict[] {
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
  return conflictsIn(summaries.map(claimOf), others, terms);
}

const claimOf = ({ event, text }: Pick<FoundChunk, "event" | "text">): Claim => ({
  id: event.id,
  ts: event.ts,
  text,
});

function claimOfDecision({ id, ts, decision, status, alternatives }: Decision): Claim {
  return { id, ts, text: decision, rejected: status === "active" ? alternatives : [] };
}
