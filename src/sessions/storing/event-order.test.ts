import { describe, expect, it } from "vitest";
import { type Event, eventId, identityFrom } from "../kinds/event.ts";
import { inOrder } from "./event-order.ts";

const NOON = "2026-11-20T12:00:00.000Z";
const idOf = (name: string, ts = NOON) => eventId(Date.parse(ts), identityFrom(name));
const event = (
  name: string,
  { ts = NOON, refs = [] }: { ts?: string; refs?: readonly string[] } = {},
): Event => ({
  id: idOf(name, ts),
  ts,
  session: "s1",
  agent: "claude-code",
  channel: "private",
  actor: { type: "agent", id: name },
  kind: "message",
  content: {},
  refs: refs.map((ref) => idOf(ref)),
  tags: [],
  sensitivity: "none",
  hash: "sha256:0",
});
const names = (events: readonly Event[]) => inOrder(events).map(({ actor }) => actor.id);

describe("events of one millisecond", () => {
  it("keep the order of the file, whatever their ids", () => {
    const many = Array.from({ length: 20 }, (_, at) => `event ${at}`);
    expect(names(many.map((name) => event(name)))).toEqual(many);
  });

  it("come after those of an earlier one", () => {
    expect(
      names([event("late", { refs: ["x"] }), event("early", { ts: "2026-11-20T11:59:59.999Z" })]),
    ).toEqual(["early", "late"]);
  });
});
