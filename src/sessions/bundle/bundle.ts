/** The types of a bundle: its inputs, and its sections of ready text with references, omissions and provenance. (docs/design/sessions.md, "The bundle") */
import type { ReadCount } from "../../ground/files/read-files.ts";
import type { Note } from "../answers/render.ts";
import type { BriefEvent, Channel, Event, Sensitivity } from "../kinds/event.ts";
import type { SearchHit, SearchResult } from "../store.ts";
import type { ConflictFlag } from "./conflicts.ts";
import type { SectionName, Settings, View } from "./settings/settings.ts";

export interface BundleRequest {
  /** The agent's task or question. May be empty. */
  readonly query: string;
  /** Any name. It's mapped to the nearest of `INTENTS`. The default is to derive the intent from the query. */
  readonly intent?: string | undefined;
  /** The full id of the requesting session. */
  readonly session: string;
  readonly channel: Channel;
  /** The largest size of the bundle, in estimated tokens. */
  readonly maxTokens: number;
  /** The id of a handoff. The bundle then contains only the handed-over items. */
  readonly handoff?: string | undefined;
}

export const INTENTS = ["continue", "recall", "decision", "onboarding", "task"] as const;
export type Intent = (typeof INTENTS)[number];

/** The fields have the same names as in the JSON output. */
export interface Bundle {
  /** Derived from the content of the bundle. */
  readonly acb_id: string;
  readonly budget_tokens: number;
  readonly token_used_est: number;
  readonly sections: readonly BundleSection[];
  readonly omissions: readonly Omission[];
  readonly provenance: Provenance;
}

export const BUNDLE_PREFIX = "acb_";

/** The record of a bundle. Its items have references but no text. */
export interface GivenBundle extends Bundle {
  /** The time at which the bundle was returned, ISO 8601. */
  readonly at: string;
  /** The redacted query. */
  readonly query: string;
}

export interface BundleSection {
  readonly name: SectionName;
  readonly token_est: number;
  readonly items: readonly Item[];
}

export interface Item {
  readonly type: "text" | "decision";
  /** Redacted text for a model. It can't close the fence around it. */
  readonly text: string;
  /** The sources: ids of events, chunks or lessons, or `view:` and a name. */
  readonly refs: readonly string[];
  readonly decision_id?: string;
}

/**
 * `superseded`: a decision that no longer holds. `contradicted`, `no_refs`: a summary that newer events contradict, or that has no
 * references. `privacy`: too sensitive for a private bundle. Other channels don't count hidden items. `truncated_tool_output`: the artifact
 * has the whole text. `not_here`: the project isn't cloned here, and the daemon wasn't given it. `limit`: the search reached a limit.
 */
export type OmissionReason =
  | "budget"
  | "privacy"
  | "truncated_tool_output"
  | "duplicate"
  | "weak_match"
  | "contradicted"
  | "no_refs"
  | "superseded"
  | "not_indexed_yet"
  | "not_here"
  | "limit";

export interface Omission {
  readonly reason: OmissionReason;
  readonly section?: SectionName | undefined;
  readonly count: number;
  /** The first omitted items. Empty for `privacy`. */
  readonly candidates: readonly string[];
  readonly artifact_id?: string | undefined;
  /** Details, such as the days that aren't indexed. */
  readonly note?: string | undefined;
}

export interface Provenance {
  /** The version of the views, policies and limits in force. */
  readonly policy_version: string;
  readonly intent: Intent;
  readonly session: string;
  readonly query_terms: readonly string[];
  /** The number of candidates from the session log before any were left out. */
  readonly candidate_pool_size: number;
  readonly filters: {
    readonly channel: Channel;
    readonly sensitivity_allowed: readonly Sensitivity[];
  };
  readonly scoring: {
    readonly alpha: number;
    readonly beta: number;
    readonly gamma: number;
    readonly tau_days: number;
  };
  readonly duplicates_folded: number;
  readonly conflict_flags: readonly ConflictFlag[];
  /** Counts of the reads. Two builds differ only in `ms`. Only private bundles have it, because the counts include events hidden from other channels. */
  readonly read?: ReadCount & { readonly ms: number };
}

/** The events, hits and texts that a bundle is built from. */
export interface Material {
  /** In ms since 1970. */
  readonly now: number;
  readonly branch: string | undefined;
  readonly settings: Settings;
  readonly views: readonly View[];
  /** Best first. */
  readonly lessons: readonly FoundLesson[];
  /** Events of the last days, in brief. */
  readonly recent: readonly BriefEvent[];
  /** Decisions, tasks, pins and handoffs from any time, in brief. */
  readonly ledger: readonly BriefEvent[];
  /** The last events of the session, the newest first. */
  readonly window: readonly Event[];
  /** The hits of the query. Undefined if nothing was searched. */
  readonly found: SearchResult | undefined;
  /** The limit of the search. A search that reached it may have more hits. */
  readonly mostHits: number;
  /** Events that pins and handoffs refer to, or that introduce the project. The most wanted first. */
  readonly referred: readonly Event[];
  /** Hits for the figures of the summaries among these. An event that contradicts one may not match the query. */
  readonly besideSummaries: readonly SearchHit[];
  readonly cost: ReadCount & { readonly ms: number };
  /** Sections without material because the project isn't cloned here. */
  readonly unavailableSections?: readonly SectionName[];
}

/** A lesson that clearly matches, as text. */
export interface FoundLesson {
  readonly ref: string;
  readonly text: string;
}

/** An item that a bundle may contain. */
export interface Candidate {
  readonly section: SectionName;
  readonly refs: Item["refs"];
  readonly text: string;
  readonly decision?: string;
  /** The artifact with the whole text. */
  readonly artifact?: string | undefined;
  /** Ids of its repeats. */
  readonly again?: readonly string[];
}

export function fromNote(section: SectionName, { text, ref }: Note): Candidate {
  return { section, refs: [ref], text };
}

export function itemOf({ refs, decision, text }: Candidate): Item {
  return decision === undefined
    ? { type: "text", text, refs }
    : { type: "decision", decision_id: decision, text, refs };
}
