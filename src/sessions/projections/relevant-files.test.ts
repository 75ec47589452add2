import { describe, expect, it } from "vitest";
import { idAt, made, result } from "../../../test/support/made-events.ts";
import type { Content, Event } from "../kinds/event.ts";
import { type FileRequest, relevantFiles, type Touch, touchesOf } from "./relevant-files.ts";

/** Ids sort by time. */
function idOf(number: number): string {
  return `evt_01KA${String(number).padStart(22, "0")}`;
}

/** A touch by the work that began at another event. */
function touch(number: number, path: string, session: string, work: number): Touch {
  return { event: idOf(number), path, session, work: idOf(work) };
}

/** Two sessions: the first was about the parser and its docs, the second about the server. */
const touches = [
  touch(2, "src/parser/table.ts", "a", 1),
  touch(3, "src/parser/table.test.ts", "a", 1),
  touch(4, "docs/formats.md", "a", 1),
  touch(12, "src/server/http.ts", "b", 11),
  touch(13, "src/server/retry.ts", "b", 11),
];

function paths(request: Partial<FileRequest>): string[] {
  const asked = {
    query: "",
    session: "c",
    found: [],
    touches,
    ...request,
  } as const;
  return relevantFiles(asked, 10).map(({ path }) => path);
}

describe("relevant files", () => {
  it("are those touched last where nothing was asked or found", () => {
    expect(paths({})).toEqual([...touches].reverse().map(({ path }) => path));
  });

  it("are those of the session before all others", () => {
    expect(paths({ session: "a" })[0]).toBe("docs/formats.md");
  });

  it("begin with those that the prompt names, in full before in part", () => {
    const [first, second] = paths({ query: "Move the test of src/parser/table.ts into a folder" });
    expect([first, second].sort()).toEqual(["src/parser/table.test.ts", "src/parser/table.ts"]);
    expect(paths({ query: "Why does the HTTP server stop?" })[0]).toBe("src/server/http.ts");
  });

  it("begin with all files that a found patch changed", () => {
    const patch = result({ tool: "apply_patch", path: "b.ts", other_paths: ["a.ts"], edits: true });
    const { touches, works } = touchesOf(made(patch, result({ tool: "Read", path: "c.ts" })));
    const found = [{ work: works.get(idAt(0)), score: 1 }];
    expect(paths({ touches, found }).slice(0, 2).sort()).toEqual(["a.ts", "b.ts"]);
  });

  it("are those of the work in which something was found", () => {
    const found = [{ work: idOf(1), score: 0.6 }];
    expect(paths({ query: "something", found }).slice(0, 3).sort()).toEqual([
      "docs/formats.md",
      "src/parser/table.test.ts",
      "src/parser/table.ts",
    ]);
    const earlier = [{ work: idOf(0), score: 0.6 }];
    expect(paths({ query: "something", found: earlier })).toEqual(paths({}));
  });

  it("are as many as were asked for", () => {
    expect(relevantFiles({ query: "", session: "a", found: [], touches }, 2)).toHaveLength(2);
    expect(paths({ touches: [] })).toEqual([]);
  });
});

describe("the touches of events", () => {
  const event = (
    number: number,
    kind: Event["kind"],
    type: Event["actor"]["type"],
    content: Content,
  ) => ({
    id: idOf(number),
    ts: "2026-11-21T08:00:00.000Z",
    session: "a",
    agent: "claude-code",
    channel: "private",
    actor: { type, id: type },
    kind,
    content,
    refs: [],
    tags: [],
    sensitivity: "none",
    hash: "sha256:0",
  });

  it("name the request that each worked on", () => {
    const events = [
      event(1, "tool_call", "agent", { tool: "Read", path: "a.ts" }),
      event(2, "message", "human", { text: "Fix it" }),
      event(3, "message", "agent", { text: "I will" }),
      event(4, "tool_call", "agent", { tool: "Bash", command: "make" }),
      event(5, "tool_result", "tool", { tool: "Edit", path: "b.ts", excerpt_text: "done" }),
    ] as Event[];
    expect(touchesOf(events).touches).toEqual([
      { event: idOf(1), path: "a.ts", session: "a", work: idOf(1) },
      { event: idOf(5), path: "b.ts", session: "a", work: idOf(2) },
    ]);
  });
});
