import { expect, it } from "vitest";
import { asks as asked, made, says } from "../../../test/support/made-events.ts";
import { askingSession } from "./asking-session.ts";

const OLD = "5e551011-0000-4000-8000-000000000001";
const NEW = "5e551012-0000-4000-8000-000000000002";
const EVENTS = made(
  { ...asked("Begin"), session: OLD },
  { ...asked("Go on"), session: NEW },
  { ...says("Looked"), session: NEW, agent: "claude-code/a1b2" },
  { ...asked("Other"), session: "0codex", agent: "codex" },
);
const asks = (given?: string, { agent = "claude-code", events = EVENTS } = {}) =>
  askingSession(events, { given, agent, fallback: "19a9c3e2-mcp" });

it("is the one that is given, whole or as its start shows it", () => {
  expect(asks(OLD)).toEqual({ session: OLD, how: "given" });
  expect(asks("5e551011")).toEqual({ session: OLD, how: "given" });
});

it("is else the newest of the client, its child agents included", () => {
  expect(asks()).toEqual({ session: NEW, how: "newest" });
  expect(asks(" ", { agent: "codex" })).toEqual({ session: "0codex", how: "newest" });
});

it("stands for itself where nothing of it is recorded yet, and without any the server's own counts", () => {
  expect(asks("5e551099")).toEqual({ session: "5e551099", how: "unknown" });
  expect(asks("ses_4f2a91")).toEqual({ session: "ses_4f2a91", how: "unknown" });
  expect(asks(undefined, { agent: "gemini" })).toEqual({ session: "19a9c3e2-mcp", how: "unknown" });
});

it("is refused where no session of a client has such a name, and a loop of one's own names its sessions as it likes", () => {
  for (const name of ["mine", "current", "5e55"]) {
    expect(() => asks(name)).toThrow(
      expect.objectContaining({ fix: expect.stringContaining("5e551012") }),
    );
  }
  expect(asks("mine", { agent: "my-loop" })).toEqual({ session: "mine", how: "unknown" });
});

it("is what a loop of one's own names that calls itself like a client: an id, or anything where the client left no session", () => {
  for (const id of ["loop-2026-11-28", "run-000042", "01JD8VQ0"]) {
    expect(asks(id)).toEqual({ session: id, how: "unknown" });
  }
  expect(asks("mine", { events: [] })).toEqual({ session: "mine", how: "unknown" });
  expect(asks("mine", { agent: "gemini" })).toEqual({ session: "mine", how: "unknown" });
});

it("does not become that of other calls where only a call named it", () => {
  const events = [
    ...EVENTS,
    ...made({}, {}, {}, {}, { ...says("Said"), session: "5e551099" }).slice(4),
  ];
  expect(asks("5e551099", { events })).toEqual({ session: "5e551099", how: "given" });
  expect(asks(undefined, { events })).toEqual({ session: NEW, how: "newest" });
});

it("what was said before the first capture stood under the short id, and no longer does afterwards", () => {
  const early = made(
    { ...asked("Begun"), session: NEW },
    { ...says("Said early"), session: "5e551012" },
  );
  expect(asks("5e551012", { events: early })).toEqual({ session: NEW, how: "given" });
  expect(asks("5e551012", { events: early.slice(1) })).toEqual({
    session: "5e551012",
    how: "given",
  });
});

it("is never somebody else's where nobody names one", () => {
  const events = [
    ...EVENTS,
    ...made({}, {}, {}, {}, { ...asked("Hers"), session: "5e551099", person: "ann" }).slice(4),
  ];
  expect(asks(undefined, { events })).toEqual({ session: NEW, how: "newest" });
  expect(asks("5e551099", { events })).toEqual({ session: "5e551099", how: "given" });
});
