/** A bundle: sections of ready text with references, what was left out, and how it was made. (docs/design/sessions.md, "The bundle") */
import type { ReadCount } from "../../ground/files/read-count.ts";
import type { Channel, Sensitivity } from "../kinds/event.ts";
import type { ConflictFlag } from "./claims/conflicts.ts";
import type { SectionName } from "./settings/budgets.ts";

export interface BundleRequest {
  /** What the agent is about to do, or wants to know. May be empty. */
  readonly query: string;
  /** Any name, of which the nearest of `INTENTS` counts. Absent if the query decides. */
  readonly intent?: string | undefined;
  /** The whole id of the session that asks. */
  readonly session: string;
  readonly channel: Channel;
  /** The most that the bundle may take, in estimated tokens. */
  readonly maxTokens: number;
  /** The id of a handoff. Then the bundle contains only what was handed over. */
  readonly handoff?: string | undefined;
}

export const INTENTS = ["continue", "recall", "decision", "onboarding", "task"] as const;
export type Intent = (typeof INTENTS)[number];

/** The names are those of the JSON that programs read. */
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
  /** When it was given, ISO 8601. */
  readonly at: string;
  /** Without secrets. */
  readonly query: string;
}

export interface BundleSection {
  readonly name: SectionName;
  readonly token_est: number;
  readonly items: readonly Item[];
}

export interface Item {
  readonly type: "text" | "decision";
  /** Ready for a model: redacted, and nothing in it can end the fence around it. */
  readonly text: string;
  /** The sources: ids of events, chunks or lessons, or `view:` and a name. */
  readonly refs: readonly string[];
  readonly decision_id?: string;
}

/**
 * `superseded`: a decision that no longer holds. `contradicted`, `no_refs`: a summary that newer events contradict, or that has no
 * references. `privacy`: more sensitive than a private bundle shows. Other channels don't count what they hide. `truncated_tool_output`:
 * the artifact has the whole text. `not_here`: the project isn't cloned here, and the daemon wasn't given it. `limit`: the search reached a
 * limit.
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
  readonly section?: SectionName;
  readonly count: number;
  /** The first of them. Empty for `privacy`. */
  readonly candidates: readonly string[];
  readonly artifact_id?: string;
  /** Details, such as the days that aren't indexed. */
  readonly note?: string;
}

export interface Provenance {
  /** The version of the views, policies and limits in force. */
  readonly policy_version: string;
  readonly intent: Intent;
  readonly session: string;
  readonly query_terms: readonly string[];
  /** The number of parts of the session log that were candidates, before anything was left out. */
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
  /** The work it took. Only `ms` differs between two builds. Only in private bundles, because other channels must not count hidden events. */
  readonly read?: ReadCount & { readonly ms: number };
}
