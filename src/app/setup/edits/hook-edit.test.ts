import { describe, expect, it } from "vitest";
import { claudeCodeHooks } from "../../../ground/clients/claude-code.ts";
import { cursor as cursorClient } from "../../../ground/clients/cursor.ts";
import { DEVELOPMENT_DEPENDENCY, isOurHook, launchesFor } from "../../../ground/clients/launch.ts";
import { hookLines } from "./hook-edit.ts";

const { hook: LINE = "" } = DEVELOPMENT_DEPENDENCY.here;
const claude = hookLines(".claude/settings.json", claudeCodeHooks(LINE));
const cursor = hookLines(
  ".cursor/hooks.json",
  cursorClient.hooks?.table?.(LINE) ?? {},
  cursorClient.hooks?.frame,
);

const THEIRS = `{
  "permissions": { "allow": [] }, // ours
  "hooks": {
    "Stop": [
      { "hooks": [{ "type": "command", "command": "say done" }] } // loud
    ]
  }
}
`;

describe("hooks", () => {
  it("stand beside those of others, once, and go without a trace", () => {
    const put = claude.put(THEIRS);
    expect(Object.keys(JSON.parse(claude.put(undefined)).hooks)).toEqual(
      Object.keys(claudeCodeHooks(LINE)),
    );
    expect(put).toContain('"command": "say done" }] } // loud');
    expect(claude.put(put)).toBe(put);
    expect(claude.take(put)).toBe(THEIRS);
  });

  it("replace the line of another version", () => {
    const old = hookLines("", claudeCodeHooks("node_modules/.bin/sentinel-memory-hook")).put(
      THEIRS,
    );
    expect(claude.put(old)).toBe(claude.put(THEIRS));
  });

  it("goes with its group and its lists, beside a hook of theirs that stays", () => {
    const hooks = { Stop: [{ matcher: "x", hooks: [{ command: LINE }] }], Other: [] };
    const others = '{"hooks":{"Other":[]}}';
    expect(JSON.parse(claude.take(JSON.stringify({ hooks })) ?? "")).toEqual(JSON.parse(others));
    const mixed = { hooks: { Stop: [{ hooks: [{ command: LINE }, { command: "theirs" }] }] } };
    expect(JSON.parse(claude.take(JSON.stringify(mixed)) ?? "")).toEqual({
      hooks: { Stop: [{ hooks: [{ command: "theirs" }] }] },
    });
  });

  it("leave no file behind in which nothing else is", () => {
    expect(claude.take(claude.put(undefined))).toBeUndefined();
    expect(cursor.take(cursor.put(undefined))).toBeUndefined();
    expect(cursor.put(undefined)).toMatch(/^\{\n {2}"version": 1,/);
  });

  it("are recognised beside those of others in every form that is written", () => {
    expect([LINE, launchesFor("tools/sentinel-memory").here.hook].map(isOurHook)).toEqual([
      true,
      true,
    ]);
    expect(["node hook.mjs", "sentinel-memory-hooks", undefined].map(isOurHook)).toEqual([
      false,
      false,
      false,
    ]);
  });
});
