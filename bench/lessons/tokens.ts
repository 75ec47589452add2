/**
 * What one task costs with this memory, in tokens of the o200k vocabulary: `npm run bench:tokens`.
 *
 * Everything that reaches the model is counted: the list of tools and the instructions, the text at the start of a session,
 * one search and one log with their answers. Beside it, what the same knowledge costs when the whole file is read, and
 * through the official memory server, whose way to read everything is `read_graph`.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Lesson } from "../../src/lessons/format/lesson.ts";
import { realisticMemory } from "../../test/support/realistic-memory.ts";
import { memoryFile, ours, theOfficial, withServer } from "../support/servers.ts";
import { sized } from "../support/sized.ts";
import { print, type Row } from "../support/table.ts";
import { listCost, sessionStart, tokens } from "./costs.ts";

const SIZES = sized([0, 10, 50, 200, 1000, 5000], [0, 10]);
/** In bytes: the smallest client's, one in between, and about the default. */
const BUDGETS = [9_500, 20_000, 45_000];

const { values } = parseArgs({ options: { json: { type: "boolean", default: false } } });
const rows: Row[] = [];
for (const records of SIZES) {
  const memory = realisticMemory(records + 1);
  const [added, ...kept] = memory.lessons as [Lesson, ...Lesson[]];
  const [question] = memory.questions(1);
  const query = question?.text ?? "";
  const official = await withServer(theOfficial(kept), async (server) => {
    return (await listCost(server)) + tokens(await server.ask("read_graph", {}));
  });
  for (const budget of BUDGETS) {
    const start = ours(kept);
    const file = kept.length === 0 ? 0 : tokens(readFileSync(memoryFile(start.folder), "utf8"));
    const session = sessionStart(start.folder);
    const env = { ...start.env, SENTINEL_OUTPUT_BUDGET: String(budget) };
    const [list, search, log] = await withServer({ ...start, env }, async (server) => {
      const { topic, missing_context, lesson, ask_next_time } = added;
      const args = { topic, missing_context, lesson, ask_next_time };
      return [
        await listCost(server),
        tokens(query) + tokens(await server.ask("search_memory", { query })),
        tokens(JSON.stringify(args)) + tokens(await server.ask("log_memory", args)),
      ] as const;
    });
    const total = list + session + search + log;
    rows.push({
      records,
      "budget, bytes": budget,
      "tools and instructions": list,
      "session start": session,
      search,
      log,
      total,
      "the file": file,
      "official server": official,
    });
  }
}
print([{ title: "Tokens of one task", rows }], values.json);
