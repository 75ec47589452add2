import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SECRET_TOKEN } from "../../../../test/support/secret-token.ts";
import { defaultsOf } from "../../../ground/core/policy.ts";
import { contextFolder } from "../../../ground/project/context-folder.ts";
import { BUDGETS_POLICY, CHANNELS_POLICY, readSettings, viewsFor } from "./settings.ts";

let home: string;
let folder: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "sentinel-settings-")));
  folder = join(home, "app");
  mkdirSync(folder);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function write(path: string, text: string | Buffer): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const project = () => ({ folder, context: contextFolder(join(folder, ".context")), how: "test" });
const read = () =>
  readSettings(project(), { general: join(home, "own"), ofProject: join(home, "own/p") });
const texts = async () => (await read()).views.map(({ text }) => text);

const IDENTITY = "app/.context/views/identity.md";
const CHANNELS = "app/.context/policies/channels.yaml";

describe("the settings", () => {
  it("are the defaults without a file, and report no problem", async () => {
    const { budgets, channels, views, files, notes, version } = await read();
    expect(budgets).toEqual(defaultsOf(BUDGETS_POLICY));
    expect(channels).toEqual(defaultsOf(CHANNELS_POLICY));
    expect([views, files, notes]).toEqual([[], [], []]);
    expect(version).toMatch(/^bud1-chan1-[0-9a-f]{8}$/);
  });

  it("have a version that goes by the values in force, not by how they are written, nor by the views", async () => {
    const { version } = await read();
    write(
      "app/.context/policies/budgets.yaml",
      "# ours\nversion: 1\nmax_tokens: 65000\nlimits: {}\n",
    );
    write(IDENTITY, "Be brief.");
    expect((await read()).version).toBe(version);
    write("app/.context/policies/budgets.yaml", "version: 1\nmax_tokens: 64000\n");
    expect((await read()).version).not.toBe(version);
  });

  it("name the file and line of everything that is wrong, in order, and hold all the same", async () => {
    write("app/.context/policies/budgets.yaml", "version: 1\nsections:\n\t- a\n");
    write(CHANNELS, "version: 1\nteam:\n  max_sensitivity: secret\nguests: {}\n");
    const { notes, budgets, channels } = await read();
    expect(notes).toEqual([
      "Note: .context/policies/budgets.yaml, line 3: this is not valid YAML (tab as indent), so the defaults hold. Correct that line.",
      "Note: .context/policies/channels.yaml, line 3: max_sensitivity is not one of none, low, high, so low holds. Correct that line, or delete it.",
      "Note: .context/policies/channels.yaml, line 4: guests is not a key of this file; it is ignored.",
    ]);
    expect(budgets.max_tokens).toBe(65_000);
    expect(channels.team.max_sensitivity).toBe("low");
  });
});

describe("a channel", () => {
  beforeEach(() => {
    for (const name of ["identity", "rules.project", "glossary"]) {
      write(`app/.context/views/${name}.md`, name);
    }
    write("own/preferences.md", "always");
    write("own/p/preferences.md", "here");
  });
  const seen = async () => {
    const settings = await read();
    const channels = ["private", "team", "agent", "public"] as const;
    return channels.map((name) => viewsFor(name, settings).map(({ text }) => text));
  };

  it("sees what the project shares, and only the private one the person's preferences", async () => {
    const shared = ["identity", "rules.project", "glossary"];
    expect(await seen()).toEqual([[...shared, "always", "here"], shared, shared, shared]);
  });

  it("sees what its policy names, in that order", async () => {
    write(CHANNELS, "version: 1\nprivate: {views: [preferences, glossary]}\npublic: {views: []}\n");
    expect((await seen())[0]).toEqual(["always", "here", "glossary"]);
    expect((await seen())[3]).toEqual([]);
  });

  it.each(["team", "agent", "public"] as const)(
    "%s never sees preferences, whatever the file says",
    async (name) => {
      write(CHANNELS, `version: 1\n${name}:\n  views:\n    - identity\n    - preferences\n`);
      const settings = await read();
      expect(viewsFor(name, settings).map(({ text }) => text)).toEqual(["identity"]);
      expect(settings.notes).toEqual([
        "Note: .context/policies/channels.yaml, line 5: an entry of views is not one of identity, rules.project, glossary, so it is left out. Correct that entry, or delete it.",
      ]);
    },
  );

  it("that is public never sees what is of high sensitivity", async () => {
    write(CHANNELS, "version: 1\npublic: {max_sensitivity: high}\nteam: {max_sensitivity: high}\n");
    const { channels, notes } = await read();
    expect([channels.public.max_sensitivity, channels.team.max_sensitivity]).toEqual([
      "low",
      "high",
    ]);
    expect(notes).toEqual([
      expect.stringContaining("line 2: max_sensitivity is not one of none, low, so low holds."),
    ]);
  });
});

describe("a view", () => {
  it("is the text as it is now, with its place", async () => {
    write(IDENTITY, "\ufeff# 정체성\r\n\r\n간결하게 답한다.\r\n");
    expect((await read()).views).toEqual([
      {
        name: "identity",
        text: "# 정체성\n\n간결하게 답한다.",
        place: ".context/views/identity.md",
      },
    ]);
    write(IDENTITY, "한국어로 답한다.");
    expect(await texts()).toEqual(["한국어로 답한다."]);
  });

  it("is absent where it says nothing, or only in comments; code is no comment", async () => {
    write(IDENTITY, "<!-- an example\n- Be brief.\n-->\n");
    expect(await texts()).toEqual([]);
    write(
      IDENTITY,
      "One\n<!-- gone -->\nTwo <!-- stays -->\n```\n<!-- code -->\n```\n<!-- open\nThree",
    );
    expect(await texts()).toEqual(["One\n\nTwo <!-- stays -->\n```\n<!-- code -->\n```"]);
  });

  it("is shown without private passages, in any notation", async () => {
    write(IDENTITY, "One\n<!-- private -->\nTwo\n<!-- /private -->\nThree\n<private>Four");
    expect((await texts()).join()).toMatch(/^One\n\[PRIVATE\]\nThree\n\[PRIVATE\]$/);
  });

  it("is shown without secrets, and that is told", async () => {
    write(IDENTITY, `Call the service with ${SECRET_TOKEN}.`);
    const { views, notes } = await read();
    expect(views[0]?.text).toBe("Call the service with [REDACTED].");
    expect(notes).toEqual([
      expect.stringMatching(/^Note: \.context\/views\/identity\.md: 1 secret in it is not shown\./),
    ]);
  });

  it("may be a link inside the repository", async () => {
    write("app/AGENTS.md", "Use tabs.");
    mkdirSync(join(folder, ".context/views"), { recursive: true });
    symlinkSync("../../AGENTS.md", join(folder, ".context/views/rules.project.md"));
    expect(await texts()).toEqual(["Use tabs."]);
  });

  it.each<[string, (path: string) => void, RegExp]>([
    [
      "a link out of the repository",
      (path) => symlinkSync(write("secret.txt", "mine"), path),
      /leads out of the repo/,
    ],
    [
      "a link into .git",
      (path) => symlinkSync(write("app/.git/config", "mine"), path),
      /leads out of the repo/,
    ],
    ["a link to no file", (path) => symlinkSync("nowhere.md", path), /the link leads to no file/],
    [
      "not UTF-8",
      (path) => writeFileSync(path, Buffer.from("M\xfcller", "latin1")),
      /is not UTF-8/,
    ],
  ])("that is %s is not shown, and that is told", async (_, plant, message) => {
    mkdirSync(join(folder, ".context/views"), { recursive: true });
    plant(join(folder, ".context/views/identity.md"));
    const { views, notes } = await read();
    expect(views).toEqual([]);
    expect(notes).toEqual([expect.stringMatching(message)]);
    expect(notes[0]).toMatch(/^Note: \.context\/views\/identity\.md: .*, so it is not shown\./);
  });

  it("of the person may be a link to anywhere, as people keep their settings", async () => {
    mkdirSync(join(home, "own"));
    symlinkSync(write("dotfiles/preferences.md", "Be kind."), join(home, "own/preferences.md"));
    expect((await read()).views).toMatchObject([
      { name: "preferences", text: "Be kind.", place: join(home, "own/preferences.md") },
    ]);
  });
});
