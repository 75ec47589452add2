/** A candidate that an existing lesson contradicts or repeats: named before it is kept, and able to replace it. */
import { expect, it } from "vitest";
import { testRepository } from "../support/in-test.ts";
import type { Project } from "../support/project.ts";
import { typing } from "../support/typing.ts";

const NOTES = `# Project memory

- Use Stripe Checkout instead of custom forms for billing.
- The seed data is in \`db/seed.ts\`.
`;
const QUESTIONS = /(?:q stop|u to undo):/g;

async function shopWithNotes(): Promise<Project> {
  const shop = await testRepository({ "db/seed.ts": "" });
  const rule = ["--missing", "Which checkout to use", "--lesson", "Use custom forms for billing."];
  await shop.run("add", "--topic", "billing", ...rule);
  await shop.write(`~/.codex/memories/MEMORY.md`, codexNotes(shop.folder));
  await shop.run("import", "--from", "codex");
  return shop;
}

const codexNotes = (folder: string) =>
  `# Task Group: billing\n\nscope: billing\napplies_to: cwd=${folder}\n\n${NOTES}`;

const lessonsIn = async (shop: Project) => (await shop.lessons()).map(({ lesson }) => lesson);

it("is named with the lesson, in a list, in JSON and before the question", async () => {
  const shop = await shopWithNotes();
  const { stdout } = await shop.run("review", "--list");
  expect(stdout).toMatch(
    /^ {2}existing +may contradict \w{8}@\w+ {2}billing: Use custom forms for billing\.$/m,
  );
  const offers = (await shop.json("review", "--json")) as { existing?: { how: string } }[];
  expect(offers.filter(({ existing }) => existing)).toEqual([
    expect.objectContaining({ existing: { id: expect.any(String), how: "may contradict" } }),
  ]);
});

it("replaces it if the user says so, and an undo brings it back", async () => {
  const shop = await shopWithNotes();
  const answers = ["r", "u", "q"];
  const shown = await typing(shop, ["review"], { asked: QUESTIONS, answers });
  expect(shown).toContain("r keep and replace the existing one");
  expect(shown).toContain("Replaced:");
  expect(await lessonsIn(shop)).toEqual(["Use custom forms for billing."]);

  const offers = (await shop.json("review", "--json")) as { id: string; existing?: object }[];
  const offer = offers.find(({ existing }) => existing);
  await shop.run("review", "--keep", offer?.id ?? "", "--replace");
  expect(await lessonsIn(shop)).toEqual([expect.stringContaining("Stripe Checkout")]);
});
