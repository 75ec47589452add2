/**
 * What a call takes and how large its answer is, at several sizes of the memory: `npm run bench:answers`.
 *
 * Against the official memory server with the same texts: its search by a word and the creation of one entity.
 */
import { statSync } from "node:fs";
import { parseArgs } from "node:util";
import { realisticMemory } from "../../test/support/realistic-memory.ts";
import { memoryFile, ours, theOfficial, toEntity, withServer } from "../support/servers.ts";
import { sized } from "../support/sized.ts";
import { print, quantile, type Row, round } from "../support/table.ts";

const SIZES = sized([50, 1000, 10_000], [10]);
const CALLS = sized(60, 2);

const { values } = parseArgs({ options: { json: { type: "boolean", default: false } } });
const latency: Row[] = [];
const size: Row[] = [];
for (const records of SIZES) {
  const { lessons, questions } = realisticMemory(records + CALLS);
  const [kept, added] = [lessons.slice(0, records), lessons.slice(records)];
  const texts = questions(CALLS).map(({ text }) => text);

  const start = ours(kept);
  const bytes = statSync(memoryFile(start.folder)).size;
  await withServer(start, async (server) => {
    const answer = await server.ask("search_memory", { query: texts[0] });
    const search = await timed(texts, (query) => server.ask("search_memory", { query }));
    const log = await timed(added, ({ topic, missing_context, lesson }) => {
      return server.ask("log_memory", {
        topic,
        missing_context,
        lesson,
        compact_threshold: 1_000_000,
      });
    });
    latency.push({ server: "sentinel-memory", records, ...search.as("search"), ...log.as("log") });
    const inFull = answer.match(/^#\d+ /gm)?.length ?? 0;
    const texts0 = kept.reduce((sum, { missing_context, lesson, ask_next_time = "" }) => {
      return sum + missing_context.length + lesson.length + ask_next_time.length;
    }, 0);
    size.push({
      records,
      "bytes of the file": bytes,
      "characters of the answer": answer.length,
      "lessons in full": inFull,
      "characters a record beside its texts":
        inFull === records ? round((answer.length - texts0) / records, 0) : "",
    });
  });
  await withServer(theOfficial(kept), async (server) => {
    const search = await timed(texts, (query) =>
      server.ask("search_nodes", { query: query.split(" ")[0] }),
    );
    const log = await timed(added, (lesson) => {
      const { type: _, ...entity } = toEntity(lesson);
      return server.ask("create_entities", { entities: [entity] });
    });
    latency.push({
      server: "official memory server",
      records,
      ...search.as("search"),
      ...log.as("log"),
    });
  });
}
print(
  [
    { title: `Latency through a client, ms, ${CALLS} calls each`, rows: latency },
    { title: "Size of an answer", rows: size },
  ],
  values.json,
);

async function timed<T>(items: readonly T[], work: (item: T) => Promise<unknown>) {
  const times: number[] = [];
  for (const item of items) {
    const start = performance.now();
    await work(item);
    times.push(performance.now() - start);
  }
  const as = (name: string): Row => ({
    [`${name} p50`]: round(quantile(times, 0.5), 1),
    [`${name} p95`]: round(quantile(times, 0.95), 1),
  });
  return { as };
}
