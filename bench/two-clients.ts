/**
 * A session log that two clients made, beside one that one client made: `npm run bench:two-clients -- --data DIR [--each] [--json]`, with
 * `coding-sessions-*.jsonl.gz` in DIR (see `coding-sessions.ts`). The sessions are written as the clients would have written them and
 * captured by their readers. What was touched next and what stood before a start are read from the data itself. `--each` prints that and the
 * text of each start.
 */
import { parseArgs } from "node:util";
import { groupBy } from "../src/ground/core/collections.ts";
import type { Event } from "../src/sessions/kinds/event.ts";
import { readSessions, type Sessions } from "./coding-sessions.ts";
import { dataFolder } from "./data-folder.ts";
import { inProject, momentsAmong, projectIn } from "./data-project.ts";
import { measureNextFiles } from "./next-files.ts";
import { print, type Row, type Section } from "./table.ts";
import { type Client, TwoClientsRecord } from "./two-clients-record.ts";
import { rowOf, type Start, startsOf } from "./two-clients-start.ts";

type ClientOf = (index: number) => Client;

/** Each session is once of either client. */
const RECORDS: Readonly<Record<string, ClientOf>> = {
  "Claude Code alone": () => "claude-code",
  "every second one Codex": (index) => (index % 2 === 0 ? "claude-code" : "codex"),
  "the others Codex": (index) => (index % 2 === 0 ? "codex" : "claude-code"),
  "Codex alone": () => "codex",
};
const RANKINGS = ["sentinel-memory", "recency", "BM25 of the best chunk", "BM25 of the path"];

const { values } = parseArgs({
  options: { data: { type: "string" }, each: { type: "boolean" }, json: { type: "boolean" } },
});
const folder = dataFolder(values.data, "bench:two-clients", "coding-sessions-*.jsonl.gz");

const sections: Section[] = [];
for (const data of readSessions(folder)) {
  const cwd = projectIn(data.sessions);
  const direct = inProject(data, cwd);
  const nextFiles = rowsOf("made from the data", direct);
  const startRows: Row[] = [];
  for (const [name, clientOf] of Object.entries(RECORDS)) {
    const { events, starts } = await captured(data, cwd, clientOf);
    nextFiles.push(...rowsOf(name, { ...direct, events, moments: momentsAmong(events, direct) }));
    const groups = groupBy(
      starts,
      ({ last, isFromOther }) => `${last}, ${isFromOther ? "the other" : "its own"} client`,
    );
    for (const [group, some] of [...groups].sort())
      startRows.push(rowOf({ record: name, "last session": group }, some));
    if (values.each) for (const start of starts) printStart(name, start);
  }
  sections.push({ title: `${data.name}: known files touched next, R@10`, rows: nextFiles });
  sections.push({
    title: `${data.name}: what the start of a session says of the last one`,
    rows: startRows,
  });
}
print(sections, values.json ?? false);

async function captured(
  { sessions }: Sessions,
  cwd: string,
  clientOf: ClientOf,
): Promise<{ events: Event[]; starts: Start[] }> {
  const record = new TwoClientsRecord(sessions, cwd, clientOf);
  try {
    const starts = await startsOf(record, sessions, cwd, clientOf);
    await record.until("9999");
    return { events: await record.events(), starts };
  } finally {
    record.remove();
  }
}

function rowsOf(record: string, sessions: Sessions): Row[] {
  const rows = measureNextFiles(sessions).filter(({ ranking }) =>
    RANKINGS.includes(String(ranking)),
  );
  return rows.map((row) => ({ record, ...row }));
}

function printStart(record: string, { text, stood, last }: Start): void {
  const { session, ...wanted } = stood;
  console.log(
    [`${record}: after ${session} of ${last} stood ${JSON.stringify(wanted)}`, text, ""].join("\n"),
  );
}
