/**
 * What bundles hold and what they cost: `npm run bench:bundle -- --data DIR [--only PART] [--long] [--json]`. In DIR:
 * `locomo-dev.json` and `coding-sessions-*.jsonl.gz`, as for bench:recall. The parts: conversations, sessions, controls, ablation, speed. `--long` adds a
 * session log of a million chunks.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { measureAblation } from "./bundle-ablation.ts";
import { measureControls } from "./bundle-controls.ts";
import { measureConversations } from "./bundle-conversations.ts";
import { measureSessions } from "./bundle-sessions.ts";
import { measureSpeed } from "./bundle-speed.ts";
import { readSessions } from "./coding-sessions.ts";
import { dataFolder } from "./data-folder.ts";
import { readConversations } from "./locomo.ts";
import { sized } from "./sized.ts";
import { print, type Section } from "./table.ts";

const options = {
  data: { type: "string" },
  long: { type: "boolean", default: false },
  only: { type: "string" },
  json: { type: "boolean", default: false },
} as const;
const { values } = parseArgs({ options });
const data = dataFolder(values.data, "bench:bundle", "locomo-dev.json");
const sizes = sized([10_000, 100_000], [50]);

const PARTS: Readonly<Record<string, () => Promise<Section[]>>> = {
  conversations: async () => [
    {
      title: "Conversations: evidence in a bundle",
      rows: await measureConversations(readConversations(data)),
    },
  ],
  sessions: async () => (await Promise.all(readSessions(data).map(measureSessions))).flat(),
  controls: () => Promise.all(readSessions(data).map(measureControls)),
  ablation: async () => [await measureAblation(readConversations(data), readSessions(data))],
  speed: async () => [
    await measureSpeed([...sizes, ...(values.long ? [1_000_000] : [])], resolve(data)),
  ],
};

const sections: Section[] = [];
for (const [name, measure] of Object.entries(PARTS))
  if (values.only === undefined || values.only === name) sections.push(...(await measure()));
print(sections, values.json);
