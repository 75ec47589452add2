import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { testRepository } from "../../../test/support/in-test.ts";
import { TurnChanges } from "./turn-changes.ts";

const BEGAN = "2026-11-20T09:00:00.000Z";
const ENDED = Date.parse("2026-11-20T09:01:00.000Z");

it("names the files that were last changed in the turn, and that no call said", async () => {
  const shop = await testRepository({ "vat.ts": "a", "old.ts": "a", "said.ts": "a", "same.ts": "a" });
  const write = async (path: string, at: string) => {
    await shop.write(path, "changed");
    utimesSync(shop.path(path), new Date(at), new Date(at));
  };
  mkdirSync(shop.path("src"));
  for (const path of ["vat.ts", "said.ts", "src/new file.ts", "node_modules/x.js"])
    await write(path, "2026-11-20T09:00:30.000Z");
  await write("old.ts", "2026-11-20T08:00:00.000Z");
  await write("later.ts", "2026-11-20T09:02:00.000Z");
  utimesSync(shop.path("same.ts"), new Date(BEGAN), new Date(BEGAN));
  const changes = new TurnChanges();
  const content = { tool: "apply_patch", path: "said.ts", edits: true };
  changes.notice([{ session: "s", agent: "codex", actor: { type: "tool", id: "t" }, kind: "tool_result", content }]);
  const end = { kind: "turn-end", began: BEGAN } as const;
  expect(await changes.at(end, ENDED, shop.folder)).toMatchObject({
    edits: true,
    path: "vat.ts",
    other_paths: ["src/new file.ts"],
  });
  const after = { kind: "turn-end", began: "2026-11-20T09:03:00.000Z" } as const;
  expect(await changes.at(after, ENDED + 600_000, shop.folder)).toBeUndefined();
});

it("says nothing where there is no repository", async () => {
  const shop = await testRepository();
  const gone = shop.path("gone");
  mkdirSync(gone);
  writeFileSync(`${gone}/.git`, "gitdir: nowhere");
  expect(await new TurnChanges().at({ kind: "turn-end", began: BEGAN }, Date.now(), gone)).toBeUndefined();
});
