/** The methods of an event store as HTTP calls. docs/daemon-api.md describes their bodies and answers. */
import * as z from "zod";
import { agentNamed, bundleBudgetFor } from "../../ground/clients/clients.ts";
import { isObject } from "../../ground/core/collections.ts";
import { readAs } from "../../ground/tool/arguments.ts";
import { type Event, type EventDraft, KINDS } from "../../sessions/kinds/event.ts";
import { MOST_IDS } from "../../sessions/remote/batches.ts";
import type { EventQuery, EventStore } from "../../sessions/store.ts";
import { noteOnCitations } from "../../sessions/storing/named-ids.ts";
import * as tool from "../../sessions/tools/definitions.ts";
import { buildAcb, decisionsFor } from "../../sessions/tools/handlers.ts";
import { type Named, withCitedIds, withOurNames } from "../../sessions/tools/usual-names.ts";
import {
  allowedDrafts,
  type Caller,
  mustHaveScope,
  type Opened,
  recordingOf,
  withoutIdentity,
} from "./caller.ts";

/** Answers a call. */
type Endpoint = (body: unknown, opened: Opened) => Promise<unknown>;

const MOST_DRAFTS = 10_000;
const MOST_OVERLAP_HOURS = 7 * 24;

const OF_DRAFT =
  "kind content session agent actor channel sensitivity refs tags place ts id key origin".split(
    " ",
  );
/** The store checks the values. A misspelt `channel` would send private text to the channel of the token. */
const draft = z.custom<EventDraft>(
  (value) =>
    typeof value === "object" &&
    value !== null &&
    Object.keys(value).every((name) => OF_DRAFT.includes(name)),
  `expected a draft, and no fields but ${OF_DRAFT.join(", ")}`,
);
/** Counts the items before validation, because validating too many would block other callers. */
const few = z.custom<unknown>(
  (value) => !Array.isArray(value) || value.length <= MOST_DRAFTS,
  `expected ${MOST_DRAFTS.toLocaleString("en")} drafts at most`,
);
const drafts = z.strictObject({ drafts: few.pipe(z.array(draft)) });
const text = z.string();
const ids = z.array(text);
const nothing = z.strictObject({});
const days = z.number().min(0).max(36_500);
const bytes = z.number().min(0).max(Number.MAX_SAFE_INTEGER);
const target = z.union(
  [z.strictObject({ ids }), z.strictObject({ session: text }), z.strictObject({ text })],
  "expected ids, session or text",
);
const query = z.strictObject({
  from: text.optional(),
  to: text.optional(),
  session: text.optional(),
  kinds: z.array(z.enum(KINDS)).optional(),
  refs: ids.optional(),
  newestFirst: z.boolean().optional(),
});

const rotation = z.strictObject({
  overlapHours: z.number().min(0).max(MOST_OVERLAP_HOURS).default(0),
});

/** A call that tokens of some scopes may make. Its body may name its fields as other memories do. */
function endpointFor(...scopes: readonly Caller["scope"][]) {
  return <Schema extends z.ZodObject>(
    schema: Schema,
    act: (asked: z.output<Schema>, opened: Opened) => Promise<unknown>,
  ): Endpoint =>
    async (body, opened) => {
      mustHaveScope(opened.caller, ...scopes);
      const own = withoutIdentity(body, opened.caller);
      const known = Object.keys(schema.shape);
      return act(readAs(schema, isObject(own) ? withOurNames(own, known) : own), opened);
    };
}
const reading = endpointFor("write", "read");
const writing = endpointFor("write");

const appending = writing(drafts, append);

/** The calls by their path below `/v1/`. */
export const ENDPOINTS: ReadonlyMap<string, Endpoint> = new Map(
  Object.entries<Endpoint>({
    "events/append": async (body, opened) => appending(asDrafts(body, opened.caller), opened),
    "events/read": reading(query, (asked, { events }) => readPage(asked as EventQuery, events)),
    "events/find": reading(
      z.strictObject({ ids: ids.max(MOST_IDS) }),
      async ({ ids }, { events }) => ({
        events: await events.find(ids),
      }),
    ),
    "events/search": reading(
      z.strictObject({
        text,
        limit: z.int().min(1).optional(),
        withNeighbours: z.boolean().optional(),
      }),
      ({ text, limit, withNeighbours = false }, { events }) =>
        events.search({ text, withNeighbours, limit }),
    ),
    "events/brief": reading(
      z.strictObject({ window: z.enum(["recent", "ledger"]) }),
      async ({ window }, { events }) => ({ events: await events.brief(window) }),
    ),
    "events/artifact": reading(z.strictObject({ id: text }), async ({ id }, { events }) => ({
      text: (await events.artifact(id)) ?? null,
    })),
    "events/to-purge": reading(z.strictObject({ target }), ({ target }, { events }) =>
      events.toPurge(target),
    ),
    "events/purge": writing(z.strictObject({ target }), ({ target }, { events }) =>
      events.purge(target),
    ),
    "events/retain": writing(
      z.strictObject({ eventsDays: days.optional(), artifactsDays: days, artifactsBytes: bytes }),
      ({ eventsDays, ...limits }, { events }) => events.retain({ ...limits, eventsDays }),
    ),
    "events/caller": reading(nothing, async (_, { caller }) => {
      const { tenant, owner, channel, scope, own, expiresAt } = caller;
      return { tenant, owner, channel, scope, own, expiresAt };
    }),
    "events/statistics": reading(nothing, (_, { events }) => events.statistics()),
    "events/rotate-token": reading(rotation, ({ overlapHours }, { rotate }) =>
      rotate(overlapHours),
    ),
    "events/audit": reading(nothing, async (_, { audit }) => ({ audit: await audit() })),
    /** The tool's answer with format json (docs/bundle.schema.json). The caller is a program, so only its own limits apply. */
    build_acb: reading(
      tool.buildAcb.input.omit({ format: true }).strict(),
      async (asked, opened) => {
        const record = () => recordingOf(opened, agentNamed());
        const { text } = await buildAcb(
          { ...asked, format: "json" },
          { record, bundleBudget: bundleBudgetFor() },
        );
        return JSON.parse(text);
      },
    ),
    query_decisions: reading(tool.queryDecisions.input.strict(), (asked, opened) =>
      decisionsFor(asked, { record: () => recordingOf(opened, agentNamed()) }),
    ),
  }),
);

async function append(
  { drafts }: { drafts: readonly EventDraft[] },
  { caller, events: store }: Opened,
) {
  // The store refuses a draft without content, which the schema of this call doesn't check.
  const cited = drafts.map((draft) =>
    isObject(draft.content) ? { ...draft, content: withCitedIds(draft.content) } : draft,
  );
  const events = await store.append(allowedDrafts(cited, caller));
  const note = await noteOnCitations(store, events);
  return {
    events: events.map((event) => event ?? null),
    notes: note === undefined ? undefined : [note],
  };
}

/** Renames the fields of drafts to the names that we use. A single event in the form of `record_event` becomes one draft. */
function asDrafts(body: unknown, caller: Caller): unknown {
  if (!isObject(body)) {
    return body;
  }
  const isAlone = body.drafts === undefined && body.kind !== undefined;
  const { drafts = isAlone ? [body] : undefined } = body;
  if (!Array.isArray(drafts) || drafts.length > MOST_DRAFTS) {
    return body;
  }
  const named = drafts.map((one) => (isObject(one) ? draftIn(one, caller) : one));
  return isAlone ? { drafts: named } : { ...body, drafts: named };
}

/** Uses `agent_id` if the draft lacks `agent`. */
function draftIn(one: Named, caller: Caller): Named {
  const own = withOurNames(withoutIdentity(one, caller) as Named, OF_DRAFT);
  return { ...own, agent: own.agent ?? one.agent_id ?? agentNamed() };
}

/** The most events on a page. A page always ends between two milliseconds, because callers can't see the order within one. */
const MOST_EVENTS = 1_000;
const MOST_BYTES = 4 * 1024 * 1024;

interface EventPage {
  readonly events: readonly Event[];
  /** The changed fields of the query for the next page. Absent on the last page. */
  readonly next?: Pick<EventQuery, "from" | "to">;
}

async function readPage(query: EventQuery, store: EventStore): Promise<EventPage> {
  const events: Event[] = [];
  let bytes = 0;
  for await (const event of store.read(query)) {
    const last = events.at(-1)?.ts;
    const isFull = events.length >= MOST_EVENTS || bytes > MOST_BYTES;
    if (last !== undefined && isFull && event.ts !== last) {
      return { events, next: query.newestFirst ? { to: last } : { from: event.ts } };
    }
    events.push(event);
    bytes += JSON.stringify(event.content).length;
  }
  return { events };
}
