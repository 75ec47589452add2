/** How long doctor takes, with the server of every client really started: `npm run bench:doctor`. */
import { parseArgs } from "node:util";
import { Project } from "../../test/support/project.ts";
import { realisticMemory } from "../../test/support/realistic-memory.ts";
import { must } from "../support/recorded-sessions.ts";
import { sized } from "../support/sized.ts";
import { print, quantile, round } from "../support/table.ts";

const ROUNDS = sized(7, 1);
const RECORDS = sized(1_000, 10);
const AGENTS = sized(
  ["cursor", "cursor,claude,codex", "cursor,claude,codex,vscode,gemini,opencode"],
  ["cursor"],
);

const { values } = parseArgs({ options: { json: { type: "boolean", default: false } } });
const memory = realisticMemory(RECORDS).lessons.map((lesson) => `${JSON.stringify(lesson)}\n`);

const rows = [];
for (const agents of AGENTS) {
  const repository = await Project.repository();
  await repository.install();
  await must(repository, "init", "--agents", agents);
  await repository.write(".context/memory_log.jsonl", memory.join(""));
  await repository.commit("init");
  const times: number[] = [];
  const bare: number[] = [];
  for (let count = 0; count < ROUNDS; count++) {
    times.push(await timed(() => must(repository, "doctor", "--json")));
    bare.push(await timed(() => repository.sentinel(["--version"])));
  }
  rows.push({
    clients: agents.split(",").length,
    "ms (median)": round(quantile(times, 0.5), 0),
    "of a bare start": round(quantile(times, 0.5) / quantile(bare, 0.5), 1),
  });
  repository.remove();
}
print([{ title: `doctor, ${RECORDS} lessons, ${ROUNDS} rounds`, rows }], values.json);

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
