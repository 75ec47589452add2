/** Words to pin that are the id of something recorded: who gives one means what it names. */
import { SentinelError } from "../../ground/core/errors.ts";
import { safeLine } from "../../ground/terminal/layout.ts";
import { shortEventId } from "../kinds/event-id.ts";
import type { EventStore } from "../store.ts";
import { ownOfEachId } from "../storing/own-events.ts";

/** Of an event without its `evt_`, whole or as it is printed in short. */
const EVENT = /^(?:[0-9A-Z]{26}|[0-9A-Z]{8})$/i;
/** The beginning by which agents name a session. */
const SHORT_SESSION = 8;

/** @throws SentinelError `bad_argument` for the id of an event or a session, whole or in short. */
export async function mustBeWords(text: string, store: Pick<EventStore, "find" | "read">): Promise<void> {
  const name = text.trim();
  if (/\s/.test(name) || name.length < SHORT_SESSION) return;
  const [event] = EVENT.test(name) ? ownOfEachId(await store.find([`evt_${name.toUpperCase()}`])) : [];
  if (event) throw notWords(name, "an event", `Pin the event: sentinel-memory pin ${shortEventId(event.id)}`);
  const events = name.length === SHORT_SESSION ? store.read() : store.read({ session: name });
  for await (const { session } of events)
    if (session === name || session.slice(0, SHORT_SESSION) === name)
      throw notWords(
        name,
        "a session",
        `Pin one of its events: sentinel-memory record show ${safeLine(name)} lists them with their ids.`,
      );
}

function notWords(name: string, of: string, fix: string): SentinelError {
  return new SentinelError("bad_argument", `"${safeLine(name)}" is the id of ${of} here, and nothing was pinned.`, fix);
}
