import { mkdirSync, realpathSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { cursorFolder } from "../../../test/support/cursor.ts";
import { testFolder } from "../../../test/support/in-test.ts";
import { cursorReader } from "./cursor.ts";

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
  expect(await cursorReader.find(client, [app])).toEqual([own, flat]);
  expect(await cursorReader.find(client, [join(client, "none")])).toEqual([]);
  utimesSync(own, 1_800_000_000, 1_800_000_000);
  expect(await cursorReader.frameOf?.(own, ["/other", app], {})).toEqual({
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
  expect(await cursorReader.frameOf?.(path, [app], {})).toMatchObject({ cwd: app });
  mkdirSync(join(client, "my", "app"), { recursive: true });
  expect(await cursorReader.frameOf?.(path, [app], {})).toHaveProperty("cwd", undefined);
});

it.each(["my_.app", "결제 app", "app (2)"])(
  "a name has one hyphen for what is neither letter nor digit: %s",
  async (name) => {
    const client = realpathSync(testFolder());
    const app = join(client, name);
    mkdirSync(app);
    const path = keep(client, app, "a.jsonl");
    expect(await cursorReader.find(client, [app])).toEqual([path]);
    expect(await cursorReader.frameOf?.(path, [app], {})).toMatchObject({ cwd: app });
  },
);

it("a folder whose name leaves no part has the name of the one around it", async () => {
  const client = realpathSync(testFolder());
  const around = join(client, "app");
  const inner = join(around, "결제");
  mkdirSync(inner, { recursive: true });
  const path = keep(client, inner, "a.jsonl");
  expect(await cursorReader.find(client, [inner])).toEqual([path]);
  expect(await cursorReader.frameOf?.(path, [inner], {})).toHaveProperty("cwd", undefined);
  expect(await cursorReader.frameOf?.(path, [around], {})).toHaveProperty("cwd", undefined);
});

it("a path of Windows counts in any case, with its drive", async () => {
  const client = realpathSync(testFolder());
  const path = join(client, "projects", "c-Users-ann-app", "agent-transcripts", "a.jsonl");
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, "");
  expect(await cursorReader.find(client, ["C:\\Users\\Ann\\app"])).toEqual([path]);
  expect(await cursorReader.find(client, ["C:\\Users\\Ann\\app2"])).toEqual([]);
});

it("what a hook told of a session counts before its name", async () => {
  const client = realpathSync(testFolder());
  const path = keep(client, "/somewhere", `${ID}.jsonl`);
  const began = "2026-11-20T10:00:00.000Z";
  const told = { [ID]: { agent: "cursor", folder: "/told", began } };
  expect(await cursorReader.frameOf?.(path, ["/other"], told)).toMatchObject({
    cwd: "/told",
    ts: began,
  });
});
