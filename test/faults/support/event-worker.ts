/**
 * A process on a record, for the tests of faults: `event-worker.mjs FOLDER JOB`. It prints a line for each thing that is done.
 *
 * Nothing is redacted, which takes time and has tests of its own.
 */
import type { SentinelError } from "../../../src/ground/core/errors.ts";
import { now } from "../../../src/ground/files/fault-points.ts";
import { jsonlEventStore } from "../../../src/sessions/files/store.ts";
import { UNREDACTED } from "../../support/unredacted.ts";
import { type Job, markedEvent, markIn } from "./marked-events.ts";

const [folder = "", text = ""] = process.argv.slice(2);
const job: Job = JSON.parse(text);
const store = jsonlEventStore({
  folder,
  redactor: UNREDACTED,
  now,
});

try {
  if (job.do === "append") {
    await append(job);
  } else {
    await repeat(job.times ?? 1, () => act(job));
  }
} catch (error) {
  const { code, fix, message } = error as SentinelError;
  await say({ error: { code, fix, message } });
}

function act(job: Exclude<Job, { do: "append" }>): Promise<unknown> {
  switch (job.do) {
    case "purge":
      return store.purge(job.target);
    case "retain":
      return store.retain(job.limits);
    case "index":
      return indexAll();
    case "search":
      return search(job.text);
  }
}

async function indexAll(): Promise<void> {
  while (await store.prepareSearch()) {}
}

/** The marks of what was found, and the days of which not everything was searched. */
async function search(text: string): Promise<unknown> {
  const { hits, notIndexed } = await store.search({ text, limit: 200 });
  return { marks: hits.map(({ event }) => markIn(event)), missing: notIndexed.days };
}

async function append({
  name,
  session,
  count,
  batch,
  from = 0,
}: Extract<Job, { do: "append" }>): Promise<void> {
  for (let first = from; first < from + count; first += batch) {
    const numbers = Array.from(
      { length: Math.min(batch, from + count - first) },
      (_, at) => first + at,
    );
    const accepted = await asAdvised(() =>
      store.append(numbers.map((number) => markedEvent(name, number, session))),
    );
    await say({ numbers: numbers.filter((_, at) => accepted[at] !== undefined) });
  }
}

async function repeat(times: number, act: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < times; time++) {
    await say({ did: await asAdvised(act) });
  }
}

/** Many processes on few cores can keep the session log's lock for longer than one waits for it; the error says to call again. */
async function asAdvised<Result>(act: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if ((error as SentinelError).code !== "lock_timeout") {
        throw error;
      }
    }
  }
}

function say(what: unknown): Promise<void> {
  return new Promise((resolve) =>
    process.stdout.write(`${JSON.stringify(what)}\n`, () => resolve()),
  );
}
