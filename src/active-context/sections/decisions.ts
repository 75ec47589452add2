/** What was decided and still holds: what the query speaks of first, then the newest. Pure. */
import { plural } from "../../core/text.ts";
import { dateOf } from "../../core/time.ts";
import type { Content, Json } from "../../events/event.ts";
import { shortEventId } from "../../events/event-id.ts";
import { type BriefEvent, textIn } from "../../events/projections/brief-event.ts";
import { type Decision, decisionsOf } from "../../events/projections/decisions.ts";
import { Ranking } from "../../search/ranking.ts";
import type { Candidate } from "../candidates.ts";
import { quoted } from "../going-on/notes.ts";

/** As many are considered. */
const MOST = 100;
const DECISION = 600;
const REASON = 300;
const WEIGHTS = { decision: 1.2, question: 1, reasons: 1 } as const;
/** Told besides the decision, in this order. */
const REASONS: readonly (readonly [string, string])[] = [
  ["rationale", "because"],
  ["alternatives", "instead of"],
  ["constraints", "constraints"],
  ["consequences", "consequences"],
];

interface Entry {
  readonly decision: Decision;
  readonly content: Content;
  readonly refs: readonly string[];
}

export interface DecisionQuery {
  readonly text: string;
  /** Whether what does not hold any more is asked for, too. */
  readonly withSuperseded: boolean;
}

export function decisionCandidates(ledger: readonly BriefEvent[], query: DecisionQuery): Candidate[] {
  const events = new Map(ledger.map((event) => [event.id, event]));
  const entries = decisionsOf(ledger)
    .filter(({ status }) => query.withSuperseded || status === "active")
    .flatMap((decision): Entry[] => {
      const event = events.get(decision.id);
      return event ? [{ decision, content: event.content, refs: event.refs }] : [];
    })
    .reverse();
  return inOrder(entries.slice(0, 4 * MOST), query.text)
    .slice(0, MOST)
    .map((entry) => ({
      section: "relevant_decisions",
      decision: entry.decision.id,
      refs: [entry.decision.id, ...entry.refs],
      text: () => textOf(entry),
    }));
}

/** What holds before what does not; what matches first, the others by time, the newest first. */
function inOrder(entries: readonly Entry[], query: string): Entry[] {
  const ranking = new Ranking<Entry, keyof typeof WEIGHTS>(WEIGHTS);
  ranking.update(
    entries.map((entry) => ({
      item: entry,
      boost: entry.decision.status === "active" ? 1 : 0.5,
      fields: {
        decision: entry.decision.decision,
        question: entry.decision.question ?? "",
        reasons: REASONS.flatMap(([field]) => textsIn(entry.content[field])).join("\n"),
      },
    })),
  );
  const matching = ranking.rank(query).map(({ item }) => item);
  return [...new Set([...matching, ...entries])];
}

function textOf({ decision, content }: Entry): string {
  const { id, ts, question, status, contestedBy, isPlan } = decision;
  const confidence = typeof content.confidence === "number" ? ` (confidence ${content.confidence})` : "";
  const label = `${isPlan ? "plan accepted" : "decided"} ${dateOf(ts)}${confidence}`;
  const asked = question === undefined ? "" : `${quoted(question, REASON)} `;
  const reasons = REASONS.flatMap(([field, word]) => {
    const texts = textsIn(content[field]);
    return texts.length > 0 ? [`; ${word}: ${quoted(texts.join("; "), REASON)}`] : [];
  });
  const standing = [
    ...(status === "superseded" ? [`superseded by ${decision.supersededBy.map(shortEventId).join(", ")}`] : []),
    ...(contestedBy.length > 0
      ? [`contested by ${plural(contestedBy.length, "other")}: ${contestedBy.map(shortEventId).join(", ")}`]
      : []),
  ];
  const note = standing.length > 0 ? ` [${standing.join("; ")}]` : "";
  return `${label}: ${asked}${quoted(decision.decision, DECISION)}${reasons.join("")}${note} (${shortEventId(id)})`;
}

function textsIn(value: Json | undefined): readonly string[] {
  const text = textIn(value);
  if (text !== undefined) return text === "" ? [] : [text];
  return Array.isArray(value) ? value.flatMap((each) => textsIn(each as Json)) : [];
}
