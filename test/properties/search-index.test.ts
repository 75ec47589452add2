/**
 * Whatever happens to a lesson and its index, in any order, a search finds what a search without an index finds, with the same scores.
 * Kills are in test/faults/.
 */
import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { jsonlEventStore } from "../../src/sessions/files/store.ts";
import type { EventStore } from "../../src/sessions/store.ts";
import { NOON } from "../contracts/event-store.ts";
import { filesBelow } from "../support/files-below.ts";
import { LONG, SEED } from "../support/form.ts";
import { pick, type Random, seeded } from "../support/random.ts";
import { rankedBy, referenceSearch } from "../support/reference-search.ts";
import { removeFolder, scratchFolder } from "../support/scratch.ts";
import { randomEvent, randomQuery } from "../support/talk.ts";
import { UNREDACTED } from "../support/unredacted.ts";

const DAY = 86_400_000;
const DAYS = 40;
const WALKS = LONG ? 6 : 3;
const STEPS = LONG ? 40 : 20;

/** A session log that things happen to. */
class Walk {
  readonly #folder = scratchFolder();
  readonly #random: Random;
  #clock = NOON + DAYS * DAY;
  #store: EventStore;

  constructor(seed: string) {
    onTestFinished(() => removeFolder(this.#folder));
    this.#random = seeded(seed);
    this.#store = this.#open();
  }

  readonly #happenings: readonly (() => unknown)[] = [
    () => this.#append(),
    () => this.#append(),
    () => this.#append(),
    () => this.#store.search({ text: randomQuery(this.#random) }),
    () => this.#store.prepareSearch(),
    () => this.#store.prepareSearch(),
    () => {
      this.#store = this.#open();
    },
    () => this.#purge(),
    () => this.#retain(),
    () => appendFileSync(this.#pickFile("events"), '{"id":"evt_torn'),
    () => rmSync(join(this.#folder, "index"), { recursive: true, force: true }),
    () => this.#flipBit(),
    () => this.#cutShort(),
  ];

  async step(): Promise<void> {
    await pick(this.#random, this.#happenings)();
  }

  async check(queries: number): Promise<void> {
    const reference = await referenceSearch(this.#store);
    for (const store of [this.#store, this.#open()]) {
      for (let query = 0; query < queries; query++) {
        const text = randomQuery(this.#random);
        expect(await rankedBy(store, text, 20)).toEqual(reference(text, 20));
        expect((await store.search({ text })).notIndexed).toEqual({ days: [], bytes: 0 });
      }
    }
  }

  #open(): EventStore {
    return jsonlEventStore({
      folder: this.#folder,
      redactor: UNREDACTED,
      now: () => this.#clock,
    });
  }

  /** Some lines again, some of these with another time, as a retry has. */
  async #append(): Promise<void> {
    const count = 1 + Math.floor(this.#random() * 30);
    const drafts = Array.from({ length: count }, () => {
      const number = Math.floor(this.#random() * 400);
      const isAgain = this.#random() < 0.8;
      return randomEvent(isAgain ? seeded(number) : this.#random, number, {
        from: NOON,
        days: DAYS,
      });
    });
    await this.#store.append(drafts);
  }

  async #purge(): Promise<void> {
    const hits = (await this.#store.search({ text: randomQuery(this.#random) })).hits;
    const hit = hits[0];
    if (hit === undefined) {
      return;
    }
    const draw = this.#random();
    const words = hit.text.slice(0, 12).trim();
    if (draw < 0.8 || words === "") {
      await this.#store.purge({ ids: hits.slice(0, 3).map(({ event }) => event.id) });
    } else if (draw < 0.95) {
      await this.#store.purge({ text: words });
    } else {
      await this.#store.purge({ session: hit.event.session });
    }
  }

  async #retain(): Promise<void> {
    this.#clock += (this.#random() * DAY) / 2;
    await this.#store.retain({ eventsDays: DAYS, artifactsDays: 90, artifactsBytes: 1e9 });
  }

  #flipBit(): void {
    const file = this.#pickFile("index");
    const bytes = readFileSync(file);
    if (bytes.length === 0) {
      return;
    }
    const at = Math.floor(this.#random() * bytes.length);
    bytes[at] = (bytes[at] as number) ^ (1 << Math.floor(this.#random() * 8));
    writeFileSync(file, bytes);
  }

  #cutShort(): void {
    const file = this.#pickFile("index");
    truncateSync(file, Math.floor(this.#random() * readFileSync(file).length));
  }

  /** One of the files in a part of the session log; one that is of no use where there is none. */
  #pickFile(part: string): string {
    const files = filesBelow(join(this.#folder, part));
    const spare = join(this.#folder, "spare");
    appendFileSync(spare, "");
    return files.length > 0 ? pick(this.#random, files) : spare;
  }
}

it.each(Array.from({ length: WALKS }, (_, at) => `${SEED} ${at}`))(
  "an index that things happen to answers as if there were none: walk %s",
  async (seed) => {
    const walk = new Walk(seed);
    for (let step = 0; step < STEPS; step++) {
      await walk.step();
      if (step % 5 === 4) {
        await walk.check(2);
      }
    }
    await walk.check(10);
  },
);
