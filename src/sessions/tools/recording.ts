/** The session log of the project, as tools reach it. It is looked for with the first call that needs it. */
import { isOwnLoop } from "../../ground/clients/agent-name.ts";
import { SentinelError } from "../../ground/core/errors.ts";
import type { Project } from "../../ground/project/find-project.ts";
import type { Privacy } from "../../ground/project/privacy.ts";
import type { OwnWords } from "../../ground/redaction/own-words.ts";
import type { LessonStore } from "../../lessons/store.ts";
import type { SharedTexts } from "../bundle/settings/shared-texts.ts";
import { appendSaid, notRecorded, placeOf } from "../capture/append-said.ts";
import type { CaptureParts } from "../capture/capture-here.ts";
import { captureHere } from "../capture/capture-here.ts";
import { QUICKLY } from "../capture/capture-request.ts";
import {
  type FoundLog,
  findLog,
  obstacleIn,
  type ProjectLog,
  readConsent,
} from "../consent/find-log.ts";
import type { Environment } from "../consent/places.ts";
import type { Channel, Event, EventDraft, Place } from "../kinds/event.ts";
import { type AskingSession, askingSession } from "../projections/asking-session.ts";
import type { EventStore } from "../store.ts";

/** What the session log is opened with. */
export interface LogParts extends Omit<CaptureParts, "readPrivacy"> {
  readonly env: Environment;
}

export interface Recording {
  /** The texts that are shared where there is no clone of it, as at a daemon. */
  readonly project: Project | SharedTexts;
  readonly lessons: Pick<LessonStore, "read"> | undefined;
  /** For reading. */
  readonly store: EventStore;
  /** What is never stored, as far as it could be read. */
  readonly ownWords: OwnWords;
  /** The client, as events name it. */
  readonly agent: string;
  /** Where the session log puts what names no channel; `private` where it is absent. */
  readonly channel: Channel | undefined;
  /** Reads what agents wrote since the last time, as far as nobody notices that; the rest is for the next capture. */
  catchUp(): Promise<void>;
  /** @param given what the agent says that its session is. */
  askingSession(given: string | undefined): Promise<AskingSession>;
  place(): Promise<Place>;
  /** Appends with consent. @returns undefined where it was purged. @throws SentinelError `not_recorded`, `privacy_unreadable`, an append's. */
  append(draft: EventDraft): Promise<Event | undefined>;
}

export type OpenRecording = ReturnType<typeof openRecordings>;

/** Finds and opens the session log, once for all calls of a process. @param startedAt of the server, in ms since 1970. */
export function openRecordings({ project, env, openEvents }: LogParts, startedAt: number) {
  const digits = startedAt.toString(16).padStart(SESSION_DIGITS, "0");
  /** Stands for a session of which nothing is known. */
  const fallback = `${digits.slice(-SESSION_DIGITS)}-mcp`;
  let known: { found: FoundLog; record: ProjectLog; store: EventStore } | undefined;
  const look = async () => {
    if (known && readConsent(known.record)) return known;
    const found = await findLog(project.folder, env);
    const { status, record } = found;
    if (status !== "on" || !record) throw whyNot(found);
    known = { found, record, store: openEvents(record.folder) };
    return known;
  };
  /** @param agent the client, as events name it. @throws SentinelError `not_recorded` where recording is off now. */
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
      catchUp: async () => {
        const parts = { project, openEvents, readPrivacy: async () => privacy };
        // A capture notes its failure, and sessions status and doctor tell it; what is recorded answers all the same.
        await captureHere(parts, found, { limit: QUICKLY }).catch(() => undefined);
      },
      askingSession: async (given) =>
        askingSession(await store.brief("recent"), {
          given,
          agent,
          namesItsOwn: isOwnLoop(agent),
          fallback,
        }),
      place: () => placeOf(project.folder),
      append: async (draft) =>
        appendSaid(openEvents(record.folder, privacy.forStoring()), record, found, draft),
    };
  };
}

function whyNot(found: FoundLog): SentinelError {
  const obstacle = obstacleIn(found);
  return obstacle ? new SentinelError("not_recorded", obstacle.what, obstacle.fix) : notRecorded();
}

/** Digits by which answers name a session. */
const SESSION_DIGITS = 8;
