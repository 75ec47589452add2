import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, it } from "vitest";
import { testRepositoryAtHome } from "../../../test/support/in-test.ts";
import { keepEventsFor, limitsFile, readLogLimits } from "./limits.ts";

it("the days are set in the user's own file, whose rest stays as it is, and not over a mistake in it", async () => {
  const { folder } = await testRepositoryAtHome();
  const file = limitsFile(folder);
  mkdirSync(dirname(file), { recursive: true });
  const kept = async (before: string) => {
    writeFileSync(file, before);
    await keepEventsFor(folder, 9);
    expect((await readLogLimits(folder)).limits).toMatchObject({ eventsDays: 9 });
    return readFileSync(file, "utf8");
  };
  expect(await kept("# mine\nversion: 1\nevents_days: 30 # a month\nartifacts_mb: 5")).toBe(
    "# mine\nversion: 1\nevents_days: 9 # a month\nartifacts_mb: 5\n",
  );
  expect(await kept("version: 1\nartifacts_mb: 5")).toContain("artifacts_mb: 5\n");
  await kept("{version: 1, events_days: 30}");
  await kept('version: 1\n"events_days": 30\n');
  const broken = "version: 1\nevents_days: a month\n";
  await expect(kept(broken)).rejects.toMatchObject({
    code: "bad_argument",
    message: expect.stringContaining("line 2: events_days is not"),
  });
  expect(readFileSync(file, "utf8")).toBe(broken);
});
