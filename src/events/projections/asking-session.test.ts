import { expect, it } from "vitest";
import { made, says } from "../../../test/support/made-events.ts";
import { askingSession } from "./asking-session.ts";

const OLD = "5e551011-0000-4000-8000-000000000001";
const NEW = "5e551012-0000-4000-8000-000000000002";
const EVENTS = made(
  { ...says("Done"), session: OLD },
  { ...says("Begun"), session: NEW },
  { ...says("Looked"), session: NEW, agent: "claude-code/a1b2" },
  { ...says("Other"), session: "0codex", agent: "codex" },
);
const asks = (given?: string, agent = "claude-code", events = EVENTS) =>
  askingSession(events, { given, agent, fallback: "19a9c3e2-mcp" });

it("is the one that is given, whole or as its start shows it", () => {
  expect(asks(OLD)).toEqual({ session: OLD, how: "given" });
  expect(asks("5e551011")).toEqual({ session: OLD, how: "given" });
});

it("is else the newest of the client, its subagents included", () => {
  expect(asks()).toEqual({ session: NEW, how: "newest" });
  expect(asks(" ", "codex")).toEqual({ session: "0codex", how: "newest" });
});

it("is never an error: an unknown one stands for itself, and without any the server's own counts", () => {
  expect(asks("mine")).toEqual({ session: "mine", how: "unknown" });
  expect(asks("5e55")).toEqual({ session: "5e55", how: "unknown" });
  expect(asks(undefined, "gemini")).toEqual({ session: "19a9c3e2-mcp", how: "unknown" });
});

it("what was said before the first capture stood under the short id, and no longer does afterwards", () => {
  const early = made({ ...says("Begun"), session: NEW }, { ...says("Said early"), session: "5e551012" });
  expect(asks("5e551012", "claude-code", early)).toEqual({ session: NEW, how: "given" });
  expect(asks("5e551012", "claude-code", early.slice(1))).toEqual({ session: "5e551012", how: "given" });
});
