/**
 * A session log on a daemon (docs/design/daemon.md, "The daemon"). Drafts are redacted here before they're sent, and the daemon redacts
 * them again.
 */
import { randomUUID } from "node:crypto";
import type { BriefEvent, Channel, Event, EventDraft } from "../kinds/event.ts";
import { inOrder } from "../kinds/event.ts";
import type { EventQuery, EventStore } from "../store.ts";
import { checkDraft } from "../storing/check-draft.ts";
import { type Redactor, redactDraft } from "../storing/redactor.ts";
import { inBatches, MOST_IDS } from "./batches.ts";
import { callDaemon, type Daemon } from "./call-daemon.ts";

export interface RemoteEventStoreOptions extends Daemon {
  readonly redactor: Redactor;
  /** The channel of drafts without one. The default is the token's. */
  readonly channel?: Channel;
  /** Called after events were removed, so local copies can be removed too. */
  readonly onTakenOut?: () => void;
}

interface Page {
  readonly events: readonly Event[];
  readonly next?: EventQuery;
}

export function remoteEventStore(options: RemoteEventStoreOptions): EventStore {
  const { url, redactor, channel, onTakenOut } = options;
  const call = <Answer>(name: string, body: object) =>
    callDaemon<Answer>(options, `events/${name}`, body);
  /** Reports a removal even after an error, because the daemon may have done it. */
  const remove = <Answer>(name: string, body: object) =>
    call<Answer>(name, body).finally(onTakenOut);
  return {
    location: url,
    async append(drafts) {
      // Check all drafts first, so an invalid one blocks all. If an append fails later, some may be stored already.
      for (const draft of drafts) {
        checkDraft(draft);
      }
      const redacted = drafts.map((draft) =>
        redactDraft({ ...draft, channel: draft.channel ?? channel }, redactor),
      );
      const stored: (Event | undefined)[] = [];
      for (const batch of inBatches(redacted.map(withKey))) {
        const { events } = await call<{ events: (Event | null)[] }>("append", { drafts: batch });
        stored.push(...events.map((event) => event ?? undefined));
      }
      return stored;
    },
    async *read(query = {}) {
      for (let next: EventQuery | undefined = {}; next; ) {
        const page: Page = await call<Page>("read", { ...query, ...next });
        yield* page.events;
        next = page.next;
      }
    },
    async find(ids) {
      const wanted = [...new Set(ids)];
      const found: Event[] = [];
      for (let first = 0; first < wanted.length; first += MOST_IDS) {
        const some = wanted.slice(first, first + MOST_IDS);
        found.push(...(await call<{ events: Event[] }>("find", { ids: some })).events);
      }
      return inOrder(found);
    },
    search: ({ text, limit, withNeighbours }) => call("search", { text, limit, withNeighbours }),
    /** The daemon indexes events when it appends them. */
    prepareSearch: async () => false,
    brief: async (window) => (await call<{ events: BriefEvent[] }>("brief", { window })).events,
    artifact: async (id) =>
      (await call<{ text: string | null }>("artifact", { id })).text ?? undefined,
    toPurge: (target) => call("to-purge", { target }),
    purge: (target) => remove("purge", { target }),
    retain: ({ eventsDays, artifactsDays, artifactsBytes }) =>
      remove("retain", { eventsDays, artifactsDays, artifactsBytes }),
    statistics: () => call("statistics", {}),
  };
}

/** Adds a key, so a retried call stores one event. */
function withKey(draft: EventDraft): EventDraft {
  return draft.origin === undefined && draft.key === undefined
    ? { ...draft, key: randomUUID() }
    : draft;
}
