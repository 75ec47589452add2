/** What the stores hand to a bundle; everything that it says comes from here. */
import type { BriefEvent } from "../kinds/brief-event.ts";
import type { Event } from "../kinds/event.ts";
import type { SearchResult } from "../store.ts";
import type { ReadCost } from "./bundle.ts";
import type { SectionName } from "./settings/budgets.ts";
import type { Settings } from "./settings/settings.ts";
import type { View } from "./settings/views.ts";

export interface Material {
  /** In ms since 1970. */
  readonly now: number;
  /** The branch that is checked out; undefined without git. */
  readonly branch: string | undefined;
  readonly settings: Settings;
  /** Those that the channel may load. */
  readonly views: readonly View[];
  /** Those that match, best first. */
  readonly lessons: readonly LessonText[];
  /** Of the last days, in brief. */
  readonly recent: readonly BriefEvent[];
  /** What was decided, is to be done, was pinned or handed over, at any time, in brief. */
  readonly ledger: readonly BriefEvent[];
  /** The last events of the session, the newest first. */
  readonly window: readonly Event[];
  /** What the query found; undefined where nothing was searched. */
  readonly found: SearchResult | undefined;
  /** What the query was, with what it borrowed. */
  readonly searched: string;
  /** Events that pins and handoffs refer to. */
  readonly referred: readonly Event[];
  readonly cost: ReadCost;
  /** Sections that need a clone of the project, where there is none. */
  readonly notHere?: readonly SectionName[];
}

export interface LessonText {
  /** A reference, as the tools of the lessons take it. */
  readonly ref: string;
  /** Several lines, those after the first indented. */
  readonly text: string;
}
