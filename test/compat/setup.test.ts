/** This version in a project that an earlier release has set up for every agent. */
import { rm } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { markedBlock } from "../../src/app/setup/edits/marked-block.ts";
import { RULES } from "../../src/app/setup/rules.ts";
import { CLIENTS } from "../../src/ground/clients/clients.ts";
import { BIN, type Project } from "../support/project.ts";
import { runProcess } from "../support/run-process.ts";
import { UNHURRIED } from "../support/unhurried.ts";
import { type Texts, VERSIONS } from "./archive.ts";
import { contentsOf, Release } from "./release.ts";

const INIT = ["init", "--agents", "cursor,claude,codex,vscode,gemini,opencode"];

describe.each(VERSIONS)("a project that %s has set up", (version) => {
  const release = new Release(version);

  it("has entries that doctor starts, and knows for those of init", async () => {
    const repository = await release.repository();
    const { findings } = await doctor(repository);
    for (const { name } of CLIENTS)
      expect(findings).toContainEqual(
        expect.stringMatching(new RegExp(`^ok ${name}: the server of .* lists \\d+ tools`)),
      );
    expect(findings.filter((line) => /no entry|not the one init writes/.test(line))).toEqual([]);
    // It gave these clients no hooks.
    expect(findings.flatMap((line) => /^note (\S+): no hooks/.exec(line)?.[1] ?? [])).toEqual([
      ".codex/hooks.json",
      ".opencode/plugins/sentinel-memory.js",
    ]);
  });

  it("becomes what init makes today, without --force", async () => {
    const repository = await release.repository();
    const { exit, stdout } = await repository.sentinel(INIT);
    expect({ exit, leftAlone: /left alone/.test(stdout) }).toEqual({ exit: 0, leftAlone: false });
    expect((await repository.sentinel(INIT)).stdout).toContain("Nothing to change.");

    const fresh = await release.repository();
    await release.run(fresh, "uninstall");
    await rm(fresh.path(".context"), { recursive: true });
    await fresh.sentinel(INIT);
    // It gave Cursor its rules in two files: both stay, and both are current.
    const { ".cursorrules": kept, ...texts } = withoutMemory(contentsOf(repository));
    const { ".cursorrules": untouched, ...made } = withoutMemory(contentsOf(fresh));
    expect(texts).toEqual(made);
    expect(untouched).toBe("Write tests.");
    expect(kept).toBe(`${untouched}\n\n${markedBlock(RULES)}\n`);
  });

  it("becomes what its own uninstall leaves, byte for byte, also after another init", async () => {
    const [repository, again] = [await release.repository(), await release.repository()];
    const expected = await uninstalledByRelease();
    await again.sentinel(INIT);
    for (const one of [repository, again]) {
      expect((await one.sentinel(["uninstall"])).exit).toBe(0);
      const { ".context/.gitattributes": attributes, ...others } = expected;
      const { ".context/.gitattributes": kept, ...left } = contentsOf(one);
      expect(left).toEqual(others);
      // It stays with the memory, and only an init brings it up to date.
      expect(kept).toBe(
        one === again ? "memory_log.jsonl text eol=lf merge=union -filter !diff\n" : attributes,
      );
    }
  });

  it("becomes that in a teammate's clone too, which has no note of init", async () => {
    const repository = await release.repository();
    await rm(repository.path(".context/.local"), { recursive: true });
    const expected = await uninstalledByRelease(".context/.local");
    expect((await repository.sentinel(["uninstall"])).exit).toBe(0);
    expect(contentsOf(repository)).toEqual(expected);
  });

  /** What the release leaves of its own project: the memory, and what was there before. */
  async function uninstalledByRelease(without?: string): Promise<Texts> {
    const repository = await release.repository();
    if (without) await rm(repository.path(without), { recursive: true });
    expect((await release.run(repository, "uninstall")).exit).toBe(0);
    const contents = contentsOf(repository);
    expect(Object.entries(contents).filter(([, text]) => text.includes("sentinel-memory"))).toEqual(
      [],
    );
    expect(contents["CLAUDE.md"]).toBe("# Ours\n\n$& stays, and so does $1.\n");
    return contents;
  }
});

/** The findings of doctor, each with its status in front. */
async function doctor(repository: Project): Promise<{ findings: string[] }> {
  const place = { cwd: repository.folder, env: { ...repository.env, ...UNHURRIED } };
  const { stdout } = await runProcess(process.execPath, [BIN, "doctor", "--json"], place);
  return {
    findings: (JSON.parse(stdout) as Finding[]).map(({ status, what }) => `${status} ${what}`),
  };
}

interface Finding {
  readonly status: string;
  readonly what: string;
}

function withoutMemory(texts: Texts): Texts {
  return Object.fromEntries(
    Object.entries(texts).filter(([path]) => !/^\.context\/(?:memory|\.local\/)/.test(path)),
  );
}
