import { expect, it } from "vitest";
import { testRepositoryAtHome } from "../../../test/support/in-test.ts";
import { Project } from "../../../test/support/project.ts";
import { turnOff, turnOn } from "./change-log.ts";
import { findLog, isRecorded as isRecordedIn } from "./find-log.ts";

const isRecorded = (folder: string) => isRecordedIn(folder, {});

it("says in a repository, in its worktrees and in its folders what findLog says, without git", async () => {
  const shop = await testRepositoryAtHome();
  expect(isRecorded(shop.folder)).toBe(false);
  const record = await turnOn(shop.folder, {}, { now: Date.now() });
  await shop.write("packages/api/a.ts", "");
  const worktree = await shop.worktree("side");
  for (const folder of [shop.folder, worktree.folder, shop.path("packages/api")]) {
    expect(isRecorded(folder), folder).toBe(true);
    expect((await findLog(folder, {})).status, folder).toBe("on");
  }
  const other = new Project(shop.home, "other");
  await other.furnishRepository();
  expect(isRecorded(other.folder)).toBe(false);
  await turnOff(record, Date.now());
  for (const folder of [shop.folder, worktree.folder])
    expect(isRecorded(folder), folder).toBe(false);
});
