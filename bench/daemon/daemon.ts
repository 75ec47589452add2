/**
 * The daemon on Postgres, each figure beside its floor or its peer of the same run:
 * `npm run bench:daemon [-- --data DIR] [--only PART] [--long] [--json]`. The parts: batches, calls, beside-node, one-caller, bundles, memory,
 * neighbours, windows, recall. In DIR: `locomo-dev.json` and
 * `coding-sessions-*.jsonl.gz`, as for bench:recall. `--long` adds a session log of a million chunks.
 */
import { parseArgs } from "node:util";
import { startPostgres, stopPostgres } from "../../test/support/postgres-server.ts";
import { sized } from "../support/sized.ts";
import { print, type Section } from "../support/table.ts";
import { measureBatches, measureCalls, measureOneCaller } from "./daemon-appends.ts";
import { measureBesideNode } from "./daemon-beside-node.ts";
import { measureBundles } from "./daemon-bundles.ts";
import { measureMemory } from "./daemon-memory.ts";
import { measureNeighbours } from "./daemon-neighbours.ts";
import { measureRecall } from "./daemon-recall.ts";
import { measureWindows } from "./daemon-windows.ts";

const options = {
  data: { type: "string" },
  only: { type: "string" },
  long: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
} as const;
const { values } = parseArgs({ options });
const sizes = sized([10_000, 100_000], [50]);

const postgres = await startPostgres();
const PARTS: Readonly<Record<string, () => Promise<Section[]>>> = {
  batches: async () => [await measureBatches(postgres, values.data)],
  calls: async () => [await measureCalls(postgres)],
  "beside-node": async () => [await measureBesideNode(postgres, values.data)],
  "one-caller": async () => [await measureOneCaller(postgres, values.data)],
  bundles: () => measureBundles(postgres, [...sizes, ...(values.long ? [1_000_000] : [])]),
  memory: async () => [await measureMemory(postgres)],
  neighbours: async () => [await measureNeighbours(postgres)],
  windows: () => measureWindows(postgres),
  recall: async () => [
    values.data === undefined
      ? {
          title: "Conversations",
          rows: [{ "not measured": "locomo-dev.json is missing: --data DIR" }],
        }
      : await measureRecall(postgres, values.data),
  ],
};
try {
  const sections: Section[] = [];
  for (const [name, measure] of Object.entries(PARTS)) {
    if (values.only === undefined || values.only === name) {
      sections.push(...(await measure()));
    }
  }
  print(sections, values.json);
} finally {
  stopPostgres(postgres);
}
