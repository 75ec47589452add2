import { describe, expect, it } from "vitest";
import { claudeCodeHooks } from "../../../ground/clients/claude-code.ts";
import { DEVELOPMENT_DEPENDENCY, isOurHook, launchesFor } from "../../../ground/clients/launch.ts";
import { hookLines } from "./hook-edit.ts";

const { hook: LINE = "" } = DEVELOPMENT_DEPENDENCY;
const claude = hookLines(".claude/settings.json", claudeCodeHooks(LINE));

describe("hooks", () => {
  it("goes with its group and its lists, beside a hook of theirs that stays", () => {
    const hooks = { Stop: [{ matcher: "x", hooks: [{ command: LINE }] }], Other: [] };
    const others = '{"hooks":{"Other":[]}}';
    expect(JSON.parse(claude.take(JSON.stringify({ hooks })) ?? "")).toEqual(JSON.parse(others));
    const mixed = { hooks: { Stop: [{ hooks: [{ command: LINE }, { command: "theirs" }] }] } };
    expect(JSON.parse(claude.take(JSON.stringify(mixed)) ?? "")).toEqual({
      hooks: { Stop: [{ hooks: [{ command: "theirs" }] }] },
    });
  });

  it("are recognised beside those of others in every form that is written", () => {
    expect([LINE, launchesFor("tools/sentinel-memory").hook].map(isOurHook)).toEqual([true, true]);
    expect(["node hook.mjs", "sentinel-memory-hooks", undefined].map(isOurHook)).toEqual([
      false,
      false,
      false,
    ]);
  });
});
