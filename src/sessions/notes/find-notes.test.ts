import { symlink } from "node:fs/promises";
import { expect, it } from "vitest";
import { testRepositoryAtHome } from "../../../test/support/in-test.ts";
import { CODE, claudeMemory, nativeMemories } from "../../../test/support/noted.ts";
import { NO_OWN_WORDS } from "../../ground/redaction/own-words.ts";
import { findNotes } from "./find-notes.ts";

it("reads the folder that Claude Code's settings name, and says which folders it read", async () => {
  const shop = await testRepositoryAtHome();
  for (const [path, text] of Object.entries({ ...CODE, ...nativeMemories(shop) })) {
    await shop.write(path, text);
  }
  const note = (words: string) =>
    `---\nname: n\ndescription: ${words}\ntype: feedback\n---\n\nThe ${words} note of this project\n`;
  const settings = (autoMemoryDirectory: unknown) => JSON.stringify({ autoMemoryDirectory });
  const [data, claude, codex, cursor] = ["~/d", "~/.claude", "~/.codex", "~/.cursor"].map((path) =>
    shop.path(path),
  ) as [string, string, string, string];
  const by = { places: { data, claude, codex, cursor }, words: NO_OWN_WORDS };
  const noted = async () => {
    const { notes, looked } = await findNotes("claude", shop.folder, by);
    const texts = notes.map(({ lesson }) => lesson).join("\n");
    return { notes: [...texts.matchAll(/The (\w+) note/g)].map(([, word]) => word), texts, looked };
  };
  await shop.write("~/of-me/a.md", note("personal"));
  await shop.write("~/.claude/settings.json", settings("~/of-me"));
  expect((await noted()).notes).toEqual(["personal"]);
  await shop.write(".agents/memory/a.md", note("shared"));
  await shop.write(".claude/settings.json", settings(".agents/memory"));
  expect((await noted()).notes).toEqual(["shared"]);
  for (const elsewhere of ["~/of-others", shop.path("~/of-others"), "../of-others"]) {
    await shop.write("~/of-others/a.md", note("foreign"));
    await shop.write(".claude/settings.json", settings(elsewhere));
    const { notes, looked } = await noted();
    expect(notes, elsewhere).toEqual(["personal"]);
    expect(looked[0], elsewhere).toBe(shop.path("~/of-me/a.md"));
  }
  await symlink(shop.path("~/of-others"), shop.path("linked"));
  await shop.write(".claude/settings.json", settings("linked"));
  expect((await noted()).notes).toEqual(["personal"]);
  await shop.write(".claude/settings.json", settings("gone"));
  expect((await noted()).notes).toEqual([]);
  await shop.write("~/local/메모/deep/a.md", note("local"));
  await shop.write("~/local/메모/role.md", note("role").replace("feedback", "user"));
  await shop.write(
    ".claude/settings.local.json",
    settings(shop.path("~/local/메모").normalize("NFD")),
  );
  const { notes, texts, looked } = await noted();
  expect(notes).toEqual(["local"]);
  expect(texts).toContain("Refunds go through");
  expect(looked[0]).toBe(shop.path("~/local/메모/deep/a.md"));
  expect(looked.join()).toContain(shop.path(claudeMemory(shop)));
  for (const broken of ["{", settings(7), settings("/"), settings("..")]) {
    await shop.write(".claude/settings.local.json", broken);
    const { texts: shown } = await noted();
    expect(shown, broken).toContain("Refunds go through");
    expect(shown, broken).not.toContain("local note");
  }
});
