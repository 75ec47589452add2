/**
 * A session log on a daemon (docs/design/daemon.md, "The daemon"). Drafts are redacted here before they're sent, and the daemon redacts
 * them again.
 */
import { randomUUID } from "node:crypto";
import type { BriefEvent, Channel, Event, EventDraft } from "../kinds/event.ts";
import type { EventQuery, EventStore, Purged, Retained } from "../store.ts";
import { checkDraft } from "../storing/check-draft.ts";
import { inOrder } from "../storing/event-order.ts";
import { redactDraft } from "../storing/redact-draft.ts";
import type { Redactor } from "../storing/redactor.ts";
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

export class RemoteEventStore implements EventStore {
  readonly location: string;
  readonly #options: RemoteEventStoreOptions;

  constructor(options: RemoteEventStoreOptions) {
    this.location = options.url;
    this.#options = options;
  }

  readonly append: EventStore["append"] = async (drafts) => {
    const stored: (Event | undefined)[] = [];
    for (const batch of inBatches(this.#redacted(drafts).map(withKey))) {
      const { events } = await this.#call<{ events: (Event | null)[] }>("append", {
        drafts: batch,
      });
      stored.push(...events.map((event) => event ?? undefined));
    }
    return stored;
  };

  async *read(query: EventQuery = {}): AsyncGenerator<Event> {
    for (let next: EventQuery | undefined = {}; next; ) {
      const page: Page = await this.#call<Page>("read", { ...query, ...next });
      yield* page.events;
      next = page.next;
    }
  }

  readonly find: EventStore["find"] = async (ids) => {
    const wanted = [...new Set(ids)];
    const found: Event[] = [];
    for (let first = 0; first < wanted.length; first += MOST_IDS) {
      const some = wanted.slice(first, first + MOST_IDS);
      found.push(...(await this.#call<{ events: Event[] }>("find", { ids: some })).events);
    }
    return inOrder(found);
  };

  readonly search: EventStore["search"] = ({ text, limit, withNeighbours }) =>
    this.#call("search", { text, limit, withNeighbours });

  /** The daemon indexes events when it appends them. */
  readonly prepareSearch: EventStore["prepareSearch"] = async () => false;

  readonly brief: EventStore["brief"] = async (window) =>
    (await this.#call<{ events: BriefEvent[] }>("brief", { window })).events;

  readonly artifact: EventStore["artifact"] = async (id) =>
    (await this.#call<{ text: string | null }>("artifact", { id })).text ?? undefined;

  readonly toPurge: EventStore["toPurge"] = (target) => this.#call("to-purge", { target });

  readonly purge: EventStore["purge"] = (target) =>
    this.#takingOut(this.#call<Purged>("purge", { target }));

  readonly retain: EventStore["retain"] = ({ eventsDays, artifactsDays, artifactsBytes }) =>
    this.#takingOut(this.#call<Retained>("retain", { eventsDays, artifactsDays, artifactsBytes }));

  readonly statistics: EventStore["statistics"] = () => this.#call("statistics", {});

  #call<Answer>(name: string, body: object): Promise<Answer> {
    return callDaemon(this.#options, `events/${name}`, body);
  }

  /** Reports a removal even after an error, because the daemon may have done it. */
  async #takingOut<Answer>(call: Promise<Answer>): Promise<Answer> {
    try {
      return await call;
    } finally {
      this.#options.onTakenOut?.();
    }
  }

  /** Checks all drafts first, so an invalid one blocks all. If an append fails later, some may be stored already. */
  #redacted(drafts: readonly EventDraft[]): EventDraft[] {
    for (const draft of drafts) checkDraft(draft);
    const { channel, redactor } = this.#options;
    return drafts.map((draft) =>
      redactDraft({ ...draft, channel: draft.channel ?? channel }, redactor),
    );
  }
}

/** Adds a key, so a retried call stores one event. */
function withKey(draft: EventDraft): EventDraft {
  return draft.origin === undefined && draft.key === undefined
    ? { ...draft, key: randomUUID() }
    : draft;
}
