/** Times that keep the order of a transcript, in which many lines may be of one millisecond, and a line may give several events. */
import type { EventDraft } from "../kinds/event.ts";
import type { ReadingState } from "./reading-state.ts";

/**
 * Events that were said at a time, in the order of the transcript: each a millisecond after the one before, where that was said at the
 * same time. Ids begin with the time, so every store and index keeps the order.
 * @param ts of their line, ISO 8601; an event with another time keeps it.
 * @param state of the lines before; afterwards, of these events too.
 */
export function inTurn(drafts: readonly EventDraft[], ts: string, state: ReadingState): EventDraft[] {
  const at = Date.parse(ts);
  return drafts.map((draft) => {
    if (draft.ts !== ts) return draft;
    const { moment } = state;
    const isSame = moment !== undefined && at >= moment.from && at <= moment.last;
    state.moment = isSame ? { from: moment.from, last: moment.last + 1 } : { from: at, last: at };
    return isSame ? { ...draft, ts: new Date(state.moment.last).toISOString() } : draft;
  });
}
