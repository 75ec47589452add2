import type { ReadCount } from "../../ground/files/read-count.ts";
import type { BriefEvent, Event } from "../kinds/event.ts";
import type { SearchHit, SearchResult } from "../store.ts";
import type { SectionName } from "./settings/budgets.ts";
import type { Settings } from "./settings/settings.ts";
import type { View } from "./settings/views.ts";

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
