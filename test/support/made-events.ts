/** Events that a test makes up. */
import {
  type Content,
  type Event,
  type EventDraft,
  eventId,
  identityFrom,
} from "../../src/sessions/kinds/event.ts";

const START = Date.parse("2026-11-20T09:00:00.000Z");

/** Whatever content: what others wrote may be of any form. */
export type Made = Partial<Omit<Event, "kind" | "content"> & Pick<EventDraft, "kind" | "content">>;

/** Events of one session, a minute apart; the id of each follows from its place, from 0. */
export function made(...events: readonly Made[]): Event[] {
  const whole = events.map((more, at) => ({
    id: idAt(at),
    ts: timeAt(at),
    session: "s1",
    agent: "claude-code",
    channel: "private",
    actor: { type: "human", id: "user" },
    kind: "message",
    content: {},
    refs: [],
    tags: [],
    sensitivity: "none",
    hash: "",
    ...more,
  }));
  return whole as Event[];
}

/** The id of the event in a place. */
export function idAt(place: number): string {
  return eventId(START + place * 60_000, identityFrom(String(place)));
}

function timeAt(place: number): string {
  return new Date(START + place * 60_000).toISOString();
}

export const asks = (text: string): Made => ({ content: { text } });
export const stops: Made = { content: { text: "The user stopped the agent.", interrupted: true } };
export const says = (text: string): Made => ({
  actor: { type: "agent", id: "claude-code" },
  content: { text },
});
export const calls = (content: Content): Made => ({
  kind: "tool_call",
  actor: { type: "agent", id: "claude-code" },
  content,
});
export const result = (content: Content, refs: readonly string[] = []): Made => ({
  kind: "tool_result",
  actor: { type: "tool", id: "tool.Bash" },
  content,
  refs,
});
export const decides = (
  decision: string,
  more: Content = {},
  refs: readonly string[] = [],
): Made => ({
  kind: "decision",
  content: { decision, ...more },
  refs,
});
export const task = (name: string, content: Content, refs: readonly string[] = []): Made => ({
  kind: "task_update",
  content: { task: name, ...content },
  refs,
});
export const summary = (text: string): Made => ({
  kind: "summary",
  content: { text, of: "compaction" },
});
export const pin = (text: string, more: Content = {}): Made => ({
  kind: "pin",
  content: { text, ...more },
});
