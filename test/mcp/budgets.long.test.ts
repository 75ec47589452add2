/** The smallest answer over a memory of 5,000 lessons in three languages, through the built server. */
import { expect, it } from "vitest";
import { testProject } from "../support/in-test.ts";
import { BIN } from "../support/project.ts";
import { realisticMemory } from "../support/realistic-memory.ts";
import { withServer } from "../support/server.ts";

const RECORDS = 5_000;
const QUESTIONS = 200;
const CODEX_BYTES = 9_500;

it("puts the gold lesson of nine questions in ten in full into the smallest answer", async () => {
  const memory = realisticMemory(RECORDS);
  const { folder } = await testProject({
    lines: memory.lessons.map((lesson) => JSON.stringify(lesson)).sort(),
  });
  const found = await withServer(
    { client: "codex", args: [BIN, "--project", folder] },
    async (server) => {
      let inFull = 0;
      for (const { text, gold } of memory.questions(QUESTIONS)) {
        const answer = await server.ask("search_memory", { query: text });
        expect(Buffer.byteLength(answer)).toBeLessThanOrEqual(CODEX_BYTES);
        if (new RegExp(`^#\\d+ ${gold.id.slice(0, 8)}`, "m").test(answer)) {
          inFull++;
        }
      }
      return inFull;
    },
  );
  expect(found).toBeGreaterThanOrEqual(0.9 * QUESTIONS);
});
