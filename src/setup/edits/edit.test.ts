import { describe, expect, it } from "vitest";
import { CLIENTS } from "../../clients/clients.ts";
import { claudeHooks, cursorHooks, isOurHook } from "../../clients/hooks.ts";
import { DEVELOPMENT_DEPENDENCY, launchesFor } from "../../clients/launch.ts";
import { hookEntries, jsonEntry } from "./edit.ts";

const LINE = DEVELOPMENT_DEPENDENCY.here.hook;
const claude = hookEntries(".claude/settings.json", claudeHooks(LINE), {});
const cursor = hookEntries(".cursor/hooks.json", cursorHooks(LINE), { version: 1 });

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
    const put = claude.put(THEIRS, false);
    expect(put).toContain('"command": "say done" }] }, // loud');
    expect(claude.put(put, false)).toBe(put);
    expect(claude.take(put, false)).toBe(THEIRS);
  });

  it("replace the line of another version", () => {
    const old = hookEntries("", claudeHooks("node_modules/.bin/sentinel-memory-hook"), {}).put(THEIRS, false);
    expect(claude.put(old, false)).toBe(claude.put(THEIRS, false));
  });

  it("leave no file behind that init made", () => {
    expect(claude.take(claude.put(undefined, false), false)).toBeUndefined();
    expect(cursor.take(cursor.put(undefined, false), false)).toBeUndefined();
    expect(cursor.put(undefined, false)).toMatch(/^\{\n {2}"version": 1,/);
  });

  it("are told from those of others in every form that is written", () => {
    expect([LINE, launchesFor("tools/sentinel-memory").here.hook].map(isOurHook)).toEqual([true, true]);
    expect(["node hook.mjs", "sentinel-memory-hooks", undefined].map(isOurHook)).toEqual([false, false, false]);
  });
});

it("an entry of every client comes out of a file that others changed after", () => {
  for (const { key, entry } of CLIENTS) {
    const part = jsonEntry("x.json", [key, "sentinel-memory"], entry(DEVELOPMENT_DEPENDENCY));
    const theirs = `{\n  "${key}": {\n    "docs": {}\n  }\n}\n`;
    const added = part.put(theirs, false).replace(/\n {2}\}\n\}\n$/, ',\n    "later": {}\n  }\n}\n');
    expect(part.take(added, false)).toBe(theirs.replace("{}\n", '{},\n    "later": {}\n'));
  }
});
