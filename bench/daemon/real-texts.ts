/** Events and prompts of real sessions, for benches that otherwise make texts up. */
import type { Event, EventDraft } from "../../src/sessions/kinds/event.ts";
import { readSessions } from "../support/coding-sessions.ts";

/** In order of time; then again and again, each time in other sessions and with other texts, so that none is stored already. */
export function realEvents(data: string): (number: number) => EventDraft {
  const events = eventsIn(data);
  return (number) => {
    const { id: _, hash: __, ...draft } = events[number % events.length] as Event;
    const round = Math.floor(number / events.length);
    if (round === 0) {
      return draft;
    }
    const { text } = draft.content;
    return {
      ...draft,
      session: `${draft.session} ${round}`,
      origin: `${draft.origin} ${round}`,
      content: { ...draft.content, ...(typeof text === "string" && { text: `${text} ${round}` }) },
    };
  };
}

function eventsIn(data: string): readonly Event[] {
  return readSessions(data).flatMap(({ events }) => events);
}
