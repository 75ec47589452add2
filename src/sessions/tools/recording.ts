/** Opens the project's session log for tools, at the first call that needs it. */

import type { Budget } from "../../ground/core/budget.ts";
import type { Project } from "../../ground/project/find-project.ts";
import type { Privacy } from "../../ground/project/privacy.ts";
import type { OwnWords } from "../../ground/redaction/own-words.ts";
import type { CallContext } from "../../ground/tool/tool.ts";
import type { LessonStore } from "../../lessons/store.ts";
import type { GivenBundle } from "../bundle/bundle.ts";
import type { SharedTexts } from "../bundle/settings/settings.ts";
import { appendSaid, beginKeeping, NOTHING_RECORDED, placeOf } from "../capture/append-said.ts";
import { type CaptureParts, captureHere } from "../capture/capture.ts";
import { QUICKLY_MS } from "../capture/capture-turn.ts";
import {
  type FoundLog,
  findLog,
  notRecorded,
  obstacleIn,
  type ProjectLog,
  readConsent,
} from "../consent/find-log.ts";
import type { Environment } from "../consent/places.ts";
import { GivenBundles, type KeepBundle } from "../files/given-bundles.ts";
import type { Channel, Event, EventDraft, Place } from "../kinds/event.ts";
import type { EventStore } from "../store.ts";

export interface LogParts extends Omit<CaptureParts, "readPrivacy"> {
  readonly env: Environment;
}

export interface Recording {
  /** The project, or only its shared texts if there's no clone, as on a daemon. */
  readonly project: Project | SharedTexts;
  readonly lessons: Pick<LessonStore, "read"> | undefined;
  /** Read-only. */
  readonly store: EventStore;
  /** The never-store words, if they could be read. */
  readonly ownWords: OwnWords;
  /** The client's name in events. */
  readonly agent: string;
  /** The channel of events without one. The default is `private`. */
  readonly channel: Channel | undefined;
  /** The bundles that can be looked up. A daemon keeps none. */
  readonly bundles?: {
    /** Call it before a bundle is built. */
    begin(): KeepBundle;
    find(name: string): GivenBundle | undefined;
  };
  /** Captures new lines for a short time. The next capture reads the rest. */
  catchUp(): Promise<void>;
  /** The session to use if none is known. */
  readonly fallback: string;
  place(): Promise<Place>;
  /**
   * Appends with consent. @returns undefined if the event was purged. @throws SentinelError `not_recorded`, `privacy_unreadable`, or an
   * error of the append.
   */
  append(draft: EventDraft): Promise<Event | undefined>;
}

/** Finds the session log, once per process. @param startedAt the server's start in ms since 1970. */
export function openRecordings({ project, env, openEvents }: LogParts, startedAt: number) {
  const digits = startedAt.toString(16).padStart(SESSION_DIGITS, "0");
  /** The session id if no session is known. */
  const fallback = `${digits.slice(-SESSION_DIGITS)}-mcp`;
  let known: { found: FoundLog; record: ProjectLog; store: EventStore } | undefined;
  const look = async () => {
    if (known && readConsent(known.record)) {
      return known;
    }
    const found = await findLog(project.folder, env);
    const { status, record } = found;
    if (status !== "on" || !record) {
      throw notRecorded(obstacleIn(found) ?? NOTHING_RECORDED);
    }
    known = { found, record, store: openEvents(record.folder) };
    return known;
  };
  /** @param agent the client's name in events. @throws SentinelError `not_recorded` if recording is off now. */
  return async (
    agent: string,
    { privacy, lessons }: { readonly privacy: Privacy; readonly lessons: LessonStore },
  ): Promise<Recording> => {
    const { found, record, store } = await look();
    return {
      project,
      lessons,
      store,
      ownWords: privacy.known,
      agent,
      channel: record.manifest.daemon?.channel,
      bundles: {
        begin: () => beginKeeping(record),
        find: (name) => new GivenBundles(record.folder).find(name),
      },
      catchUp: async () => {
        const parts = { project, openEvents, readPrivacy: async () => privacy };
        // A failed capture doesn't block the answer. It's noted, and `sessions status` and `doctor` report it.
        await captureHere(parts, found, { patienceMs: QUICKLY_MS }).catch(() => undefined);
      },
      fallback,
      place: () => placeOf(project.folder),
      append: async (draft) =>
        appendSaid(openEvents(record.folder, privacy.forStoring()), record, draft),
    };
  };
}

/** The length of a session's short id. */
const SESSION_DIGITS = 8;

/** The context of the session log's tools. A daemon provides no more. */
export interface SessionToolContext extends CallContext {
  /** The budget of a bundle. Custom agent loops get more than for other answers. */
  readonly bundleBudget: Budget;
  /** The project's session log. @throws SentinelError `not_recorded` if recording is off. */
  readonly record: () => Promise<Recording>;
}

export interface SessionAnswer {
  readonly text: string;
  /** Whether it's data for a program to parse. Such answers get no receipt. */
  readonly isData?: boolean;
  /** Whether a larger answer would contain more. Such answers end with a receipt. */
  readonly isPart?: boolean;
}
