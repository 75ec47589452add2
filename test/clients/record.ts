/** Makes the recordings: `npx tsx test/clients/record.ts [CLIENT/STORY…]`. */
import { installAgents } from "./agents.ts";
import { CASES, record, recordedFolder, writeRecorded } from "./recordings.ts";

installAgents();
const only = process.argv.slice(2);
for (const [client, story] of CASES) {
  if (only.length === 0 || only.includes(`${client}/${story}`)) {
    writeRecorded(recordedFolder(client, story), await record(client, story));
  }
}
