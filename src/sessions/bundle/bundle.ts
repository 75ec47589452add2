/** What a bundle is: sections of ready text with references, what was left out, and how it came about. (docs/design/sessions.md, "The bundle") */
import type { ReadCount } from "../../ground/files/read-count.ts";
import type { Channel, Sensitivity } from "../kinds/event.ts";
import type { opposedAmong } from "../projections/opposed.ts";
import type { conflictsIn } from "./conflicts.ts";
import type { Intent } from "./request.ts";
import type { SectionName } from "./settings/budgets.ts";

/** Names are those of the JSON that programs read. */
export interface Bundle {
  /** Follows from what the bundle holds. */
  readonly acb_id: string;
  readonly budget_tokens: number;
  readonly token_used_est: number;
  readonly sections: readonly BundleSection[];
  readonly omissions: readonly Omission[];
  readonly provenance: Provenance;
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
  /** What it was taken from: ids of events, chunks or lessons, or `view:` and a name. */
  readonly refs: readonly string[];
  readonly decision_id?: string;
}

/**
 * `superseded`: a decision that does not hold any more. `contradicted`, `no_refs`: a summary that newer events contradict, or that rests on nothing.
 * `privacy`: more sensitive than a private bundle shows; other channels do not count what they hide. `truncated_tool_output`: the artifact has the
 * whole. `not_here`: there is no clone of the project, and nobody gave it to the daemon. `limit`: a limit of the search was reached.
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
  /** The first of them; none for `privacy`. */
  readonly candidates: readonly string[];
  readonly artifact_id?: string;
  /** What more there is to say, such as the days that are not indexed. */
  readonly note?: string;
}

export interface Provenance {
  /** Of the views, policies and limits in force. */
  readonly policy_version: string;
  readonly intent: Intent;
  readonly session: string;
  readonly query_terms: readonly string[];
  /** How many parts of the session log were candidates, before anything was left out. */
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
  /** A summary with a newer event, which counts; or an older decision with a newer one, of which nobody said which holds. */
  readonly conflict_flags: readonly (
    | ReturnType<typeof conflictsIn>[number]["flag"]
    | ReturnType<typeof opposedAmong>[number]
  )[];
  /** The work that it took; only `ms` differs between two builds. In private alone, because much is hidden from other channels. */
  readonly read?: ReadCount & { readonly ms: number };
}
