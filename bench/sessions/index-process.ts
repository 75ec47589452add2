/** A process of the bench of the index: `index-process.mjs DO FOLDER [NUMBER]`; prints what it measured as JSON. */
import MiniSearch from "minisearch";
import { jsonlEventStore } from "../../src/sessions/files/store.ts";
import { chunksOf } from "../../src/sessions/storing/chunks.ts";
import { UNREDACTED } from "../../test/support/unredacted.ts";
import { furnishRecord } from "../support/furnish-record.ts";
import { corpusEvent, corpusQuery } from "../support/index-corpus.ts";
import { sized } from "../support/sized.ts";

const QUERIES = sized(100, 2);
const [work = "", folder = "", number = "0"] = process.argv.slice(2);
const store = jsonlEventStore({ folder, redactor: UNREDACTED, now: Date.now });

const WORKS: Readonly<Record<string, () => unknown>> = {
  furnish,
  rebuild,
  query,
  once,
  miniSearch,
  answer,
};
const measured = await WORKS[work]?.();
process.send?.(measured);
if (!process.send) {
  console.log(JSON.stringify(measured));
}

function furnish() {
  return furnishRecord(folder, Number(number), corpusEvent);
}

async function rebuild() {
  const start = performance.now();
  const first = await store.search({ text: corpusQuery(0) });
  const firstMs = performance.now() - start;
  while (await store.prepareSearch()) {}
  return {
    ms: performance.now() - start,
    firstMs,
    firstChunks: first.chunks,
    resident: resident(),
  };
}

async function query() {
  const times: number[] = [];
  for (let at = 0; at < QUERIES + 20; at++) {
    const start = performance.now();
    const { notIndexed } = await store.search({ text: corpusQuery(at) });
    if (notIndexed.bytes > 0) {
      throw new Error("The session log is not indexed.");
    }
    if (at >= 20) {
      times.push(performance.now() - start);
    }
  }
  return { times, resident: resident() };
}

async function once() {
  return (await store.search({ text: corpusQuery(Number(number)) })).chunks;
}

/** The same chunks in MiniSearch, as it comes. */
async function miniSearch() {
  const index = new MiniSearch({ fields: ["text"] });
  let [ms, events] = [0, 0];
  for await (const event of store.read()) {
    const chunks = chunksOf(event).map(({ id, text }) => ({ id, text }));
    const start = performance.now();
    index.addAll(chunks);
    ms += performance.now() - start;
    events++;
  }
  const times = Array.from({ length: QUERIES }, (_, at) => {
    const start = performance.now();
    index.search(corpusQuery(at)).slice(0, 10);
    return performance.now() - start;
  });
  return { ms, events, times, resident: resident() };
}

/** Looks for what the parent says it appended, and says when it found it. */
function answer() {
  process.on("message", async (text: string) =>
    process.send?.((await store.search({ text, limit: 1 })).hits[0]?.text),
  );
  return "ready";
}

function resident(): number {
  return process.memoryUsage().rss / 1e6;
}
