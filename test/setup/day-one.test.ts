/** The first set-up of a project: nothing is recorded unless a person says so, and a yes shows at once what can be learnt. */
import { expect, it } from "vitest";
import { testRepository } from "../support/in-test.ts";
import type { Project } from "../support/project.ts";
import { keepTranscript } from "../support/recorded.ts";
import { Session } from "../support/transcript.ts";
import { typing } from "../support/typing.ts";

const DAY_MS = 86_400_000;
const NO_BUN = "Exit code 2\nerror: unrecognized subcommand 'bun'\n\nUsage: rtk [OPTIONS]";
const QUESTIONS = /\[y\/N\]|q stop:/g;

/** A project whose sessions of the last days failed in the same way; one of them was too long ago. */
async function shopWithAPast(): Promise<Project> {
  const shop = await testRepository({ "a.ts": "" });
  for (const days of [2, 3, 40]) {
    const id = `5e5510${String(days).padStart(2, "0")}-0000-4000-8000-000000000001`;
    const session = new Session({ id, cwd: shop.folder, at: Date.now() - days * DAY_MS }).asks(
      "Run the tests",
    );
    session.uses("Bash", { command: "rtk bun run test" }, NO_BUN, { error: true }).says("Done.");
    await keepTranscript(shop, session);
  }
  return shop;
}

const status = async (shop: Project) => (await shop.run("sessions", "status")).stdout;

it("a yes takes in the last 30 days and shows what failed again", async () => {
  const shop = await shopWithAPast();
  const shown = await typing(shop, ["init", "--agents", "claude"], {
    asked: QUESTIONS,
    answers: ["y", "q"],
  });
  expect(shown).toContain("Keep a private session log");
  expect(shown).toContain("2 times in 2 sessions");
  expect(await status(shop)).toMatch(/^ok +Recording is on since[\s\S]*on 2 days/);
});

it("Enter is a no, nobody is asked twice, and without a terminal only the command is named", async () => {
  const shop = await shopWithAPast();
  const before = await status(shop);
  expect(
    await typing(shop, ["init", "--agents", "claude"], { asked: QUESTIONS, answers: [""] }),
  ).toContain("[y/N]");
  expect(
    await typing(shop, ["init", "--agents", "claude"], { asked: QUESTIONS, answers: [] }),
  ).not.toContain("[y/N]");
  expect(await status(shop)).toBe(before);
  const { stdout } = await shop.run("init", "--agents", "cursor");
  expect(stdout).toMatch(
    /^Optional: \.context\/server\/sm sessions on keeps a private session log/m,
  );
});
