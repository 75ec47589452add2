import { mkdirSync, realpathSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { cursorFolder } from "../../../test/support/cursor.ts";
import { testFolder } from "../../../test/support/in-test.ts";
import { find, frameOf } from "./cursor-sources.ts";

const ID = "5e551011-0000-4000-8000-000000000004";

function keep(client: string, folder: string, ...path: string[]): string {
  const file = join(client, "projects", cursorFolder(folder), "agent-transcripts", ...path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, "");
  return file;
}

it("transcripts lie below the name of the folder that was opened, with or without a folder of their own", async () => {
  const client = realpathSync(testFolder());
  const app = join(client, "my app");
  mkdirSync(app);
  const flat = keep(client, app, "a.jsonl");
  const own = keep(client, app, ID, `${ID}.jsonl`);
  keep(client, app, ID, "subagents", "b.jsonl");
  keep(client, app, "c.txt");
  keep(client, join(app, "packages"), "d.jsonl");
  expect(await find(client, [app])).toEqual([own, flat]);
  expect(await find(client, [join(client, "none")])).toEqual([]);
  utimesSync(own, 1_800_000_000, 1_800_000_000);
  expect(await frameOf(own, ["/other", app])).toEqual({
    session: ID,
    cwd: app,
    until: "2027-01-15T08:00:00.000Z",
  });
});

it("a name that two folders have says nothing", async () => {
  const client = realpathSync(testFolder());
  const app = join(client, "my-app");
  mkdirSync(app);
  const path = keep(client, app, "a.jsonl");
  expect(await frameOf(path, [app])).toMatchObject({ cwd: app });
  mkdirSync(join(client, "my", "app"), { recursive: true });
  expect(await frameOf(path, [app])).not.toHaveProperty("cwd");
});
