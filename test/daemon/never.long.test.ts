/** What a person refuses in `review` is refused on each machine of theirs whose session log the daemon keeps, and for nobody else. */
import { expect, it } from "vitest";
import { operatorOf } from "../support/daemon-process.ts";
import { recordOn, sentinel } from "../support/daemon-record.ts";
import { testRepository } from "../support/in-test.ts";
import { postgresOfFile } from "../support/postgres.ts";
import type { Project } from "../support/project.ts";

const postgres = postgresOfFile();
const RULES = {
  "AGENTS.md": "# Rules\n\n- Never run `npm publish`: the release machine does it\n",
};

async function offered(machine: Project): Promise<string[]> {
  await sentinel(machine, ["import", "--from", "rules"]);
  const { text } = await sentinel(machine, ["review", "--json"]);
  return JSON.parse(text.slice(Math.max(0, text.indexOf("[")))).map(({ id }: { id: string }) => id);
}

it("a candidate that was refused on one machine is offered on no other of the same person", async () => {
  const operator = await operatorOf(postgres(), "acme");
  const { url, log } = await operator.serve();
  const [desk, laptop, other] = await Promise.all([
    testRepository(RULES),
    testRepository(RULES),
    testRepository(RULES),
  ]);
  for (const [machine, person] of [
    [desk, "ann"],
    [laptop, "ann"],
    [other, "bob"],
  ] as const)
    await recordOn(machine, url, await operator.token(person));

  const [id = ""] = await offered(desk);
  expect(await offered(laptop)).toEqual([id]);
  expect((await sentinel(desk, ["review", "--never", id])).text).toContain("Never offered again");
  expect(await offered(desk)).toEqual([]);
  expect(await offered(laptop)).toEqual([]);
  expect(await offered(other)).toEqual([id]);
  // The daemon got an id, and no word of what was refused; no session came of it.
  expect(log.join("\n")).not.toContain("npm publish");
  expect((await sentinel(laptop, ["sessions", "list", "--json"])).text).toContain("[]");
});
