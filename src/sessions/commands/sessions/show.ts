import { collect } from "../../../ground/core/collections.ts";
import { SentinelError } from "../../../ground/core/errors.ts";
import { json, type Page, safeLine, safeLines } from "../../../ground/terminal/layout.ts";
import { beside, findEvent, nothingThere, uncut } from "../../answers/page-answer.ts";
import { BUNDLE_PREFIX } from "../../bundle/bundle.ts";
import { givenText } from "../../bundle/bundle-text.ts";
import type { LogManifest } from "../../consent/find-log.ts";
import { GivenBundles } from "../../files/given-bundles.ts";
import { type Event, ownFirst } from "../../kinds/event.ts";
import { eventNow } from "../../projections/current-refs.ts";
import { sessionsNow } from "../../projections/sessions.ts";
import type { EventStore } from "../../store.ts";
import { isEventName, oneOf } from "../../terminal/named.ts";
import {
  type AddSessionCommand,
  type OpenLog,
  openLog,
  type SessionCommandContext,
} from "../../terminal/project-log.ts";
import { eventFields, eventRow, sessionRows } from "../../terminal/rows.ts";

interface Looking extends SessionCommandContext, OpenLog {}

interface Options {
  readonly json?: boolean;
  /** Shows whole texts, not one line per event or the beginnings of an event's texts. */
  readonly full?: boolean;
}

/** The number of events of the same session to show on each side. */
const NEIGHBOURS = 3;

export const addShow: AddSessionCommand = (sessions, open) => {
  sessions
    .command("show")
    .description("show an event or a session")
    .argument(
      "<id>",
      "id of an event (evt_...), or of a session, a lesson or a bundle (acb_...) or a part of it",
    )
    .option(
      "--full",
      "whole texts: of a session instead of a line for each event, of an event all of them",
    )
    .option("--json", "print it as JSON")
    .action(async (id, options) => {
      const context = open();
      const looking = { ...context, ...(await openLog(context)) };
      if (id.startsWith(BUNDLE_PREFIX)) {
        return showBundle(id, looking, options);
      }
      const event = isEventName(id) ? id : await momentOf(id, looking);
      return event === undefined
        ? showSession(id, looking, options)
        : showEvent(event, looking, options);
    });
};

/**
 * The event of a lesson: its recorded source, else the call that logged it, else the nearest event in time. Undefined if no lesson has the
 * id. @throws SentinelError `not_found` if no event is near.
 */
async function momentOf(
  name: string,
  { lessons, terminal, store }: Looking,
): Promise<string | undefined> {
  if (name.length < LEAST_DIGITS) {
    return undefined;
  }
  const here = (await lessons.read()).lessons().map(({ version }) => version);
  const removed = (await lessons.removed()).map(({ lesson }) => lesson);
  const lesson = [...here, ...removed].find(({ id }) => id.startsWith(name));
  if (!lesson) {
    return undefined;
  }
  const { id, missing_context: gap = "", meta } = lesson;
  if (!here.some((other) => other.id === id)) {
    terminal.note(
      `This lesson is not in the memory any more; sentinel-memory restore ${id} brings it back.`,
    );
  }
  if (meta.from !== undefined) {
    return meta.from;
  }
  const at = Date.parse(meta.created) || 0;
  const distance = ({ ts }: Event) => Math.abs(Date.parse(ts) - at);
  const around = {
    from: new Date(at - NEAR_MS).toISOString(),
    to: new Date(at + NEAR_MS).toISOString(),
  };
  const near = (await collect(store.read(around))).sort((a, b) => distance(a) - distance(b));
  // Agents call several tools at once, and some lessons don't come from a call.
  const call = near.find(
    ({ kind, content }) =>
      kind === "tool_call" &&
      String(content.tool).endsWith("log_memory") &&
      plain(content).includes(plain(gap)),
  );
  const moment = call ?? near[0];
  if (moment && !call) {
    terminal.note(
      "The call that logged it is not recorded; this is recorded nearest to that time.",
    );
  }
  if (moment) {
    return moment.id;
  }
  throw new SentinelError(
    "not_found",
    `Nothing is recorded from the time when lesson ${safeLine(name)} was logged.`,
    "Agents are recorded while recording is on. A loop of your own calls record_event for each step.",
  );
}

const plain = (value: unknown): string => JSON.stringify(value).replaceAll(/[\\"]/g, "");

/** The shortest part of a lesson's id to accept. */
const LEAST_DIGITS = 6;
/** The largest distance in time between a lesson and its event. */
const NEAR_MS = 600_000;

/** @throws SentinelError `not_found`. */
function showBundle(id: string, { terminal, folder }: Looking, options: Options): void {
  const given = new GivenBundles(folder).find(id);
  if (!given) {
    throw nothingThere(id);
  }
  terminal.print(options.json ? json(given) : safeLines(givenText(given), ""));
}

/** @throws SentinelError `ambiguous`, `not_found`, `not_recorded`. */
async function showEvent(
  id: string,
  { terminal, store }: Looking,
  options: Options,
): Promise<void> {
  const event = await findEvent(id, store);
  const { before, after } = await beside(event, NEIGHBOURS, store);
  if (options.json) {
    const { removed, replaced } = await eventNow(event, store);
    const now = {
      removed: removed.length > 0 ? removed : undefined,
      superseded_by: replaced.length > 0 ? replaced : undefined,
    };
    return terminal.printJson({ event, ...now, before, after });
  }
  const rows = (events: readonly Event[]) => events.map((other) => eventRow(other, terminal.page));
  const shown = options.full
    ? await inFull(event, store, terminal.page)
    : eventFields(event, terminal.page, await eventNow(event, store), "beginnings");
  terminal.print([...rows(before), "", shown, "", ...rows(after)].join("\n").trim());
}

/** @throws SentinelError `ambiguous`, `not_found`, `not_recorded`. */
async function showSession(
  id: string,
  { terminal, store, manifest }: Looking,
  options: Options,
): Promise<void> {
  const summaries = await sessionsNow(store, Date.now());
  const named = oneOf(new Set(summaries.map(({ session }) => session)), id);
  const summary = ownFirst(summaries).find(({ session }) => session === named);
  if (!summary) {
    throw nowhere(id, manifest);
  }
  const events = await collect(store.read({ session: summary.session }));
  if (options.json) {
    return terminal.printJson({ ...summary, events });
  }
  terminal.print(`${sessionRows(summary, terminal.page).join("\n")}\n`);
  for (const event of events) {
    terminal.print(
      options.full
        ? `${await inFull(event, store, terminal.page)}\n`
        : eventRow(event, terminal.page),
    );
  }
}

function nowhere(id: string, { skipped }: LogManifest): SentinelError {
  const left = skipped.find((session) => session.startsWith(id));
  return left === undefined
    ? new SentinelError(
        "not_found",
        `No session that is recorded here begins with "${safeLine(id).slice(0, 40)}".`,
        "sentinel-memory sessions list shows the ids, without purged sessions. A lesson: sentinel-memory show ID.",
      )
    : new SentinelError(
        "not_found",
        `Session ${safeLine(left)} was left out of the session log: nothing of it is kept.`,
        "The client's own transcript still has it.",
      );
}

/** An event with all fields, none of them cut. */
async function inFull(event: Event, store: EventStore, page: Page): Promise<string> {
  const whole = { ...event, content: await uncut(event.content, store) } as Event;
  return eventFields(whole, page, await eventNow(event, store), "whole");
}
