/** The index of a session log in files finds what a search without one finds, whatever happened to it. */
import { createHash } from "node:crypto";
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { countingReads } from "../../src/ground/files/read-files.ts";
import { Artifacts } from "../../src/sessions/files/artifacts.ts";
import { writeEventLine } from "../../src/sessions/files/event-line.ts";
import { buildSegment } from "../../src/sessions/files/index/build-segment.ts";
import { encodeSegment, VERSION } from "../../src/sessions/files/index/segment.ts";
import { SEGMENT_BYTES } from "../../src/sessions/files/index/update.ts";
import { jsonlEventStore } from "../../src/sessions/files/store.ts";
import type { EventDraft } from "../../src/sessions/kinds/event.ts";
import type { EventStore } from "../../src/sessions/store.ts";
import { prepare } from "../../src/sessions/storing/prepare.ts";
import { message, NOON } from "../contracts/event-store.ts";
import { filesBelow } from "../support/files-below.ts";
import { testFolder } from "../support/in-test.ts";
import { pick, seeded } from "../support/random.ts";
import { rankedBy, referenceSearch } from "../support/reference-search.ts";
import { randomEvent, randomQuery } from "../support/talk.ts";
import { UNREDACTED } from "../support/unredacted.ts";

function openLog(folder: string): EventStore {
  return jsonlEventStore({ folder, redactor: UNREDACTED, now: () => NOON });
}

/** Messages of one day that take about so many bytes, nearly all of them in a field that nobody searches. */
function heavyDay(day: number, bytes: number): EventDraft[] {
  const pad = "x".repeat(15_000);
  return Array.from({ length: bytes / 15_000 }, (_, at) =>
    message("", day * 24 * 60 + at / 10, { content: { text: `day${day} number ${at}`, pad } }),
  );
}

/** The segments of the index, sorted. */
function segmentsIn(folder: string): string[] {
  return filesBelow(join(folder, "index"))
    .filter((file) => file.endsWith(`.v${VERSION}.words`))
    .sort();
}

describe("the index of a record", () => {
  it("has the newest day first, and says what is not in it yet; appending goes on meanwhile", async () => {
    const folder = testFolder();
    const store = openLog(folder);
    for (const day of [0, 1, 2]) {
      await store.append(heavyDay(day, 3_000_000));
    }
    const found = async (text: string) => (await openLog(folder).search({ text })).hits.length > 0;
    const first = await store.search({ text: "day2" });
    expect(first.hits.length).toBeGreaterThan(0);
    expect(first.notIndexed.days.at(-1)).toBe("2026-11-21");
    expect(first.notIndexed.days).not.toContain("2026-11-23");
    expect(first.notIndexed.bytes).toBeGreaterThan(3_000_000);
    await store.append([message("day0 needle", -60)]);
    let missing = Number.POSITIVE_INFINITY;
    while (await store.prepareSearch()) {
      const { notIndexed } = await store.search({ text: "day0" });
      expect(notIndexed.bytes).toBeLessThan(missing);
      missing = notIndexed.bytes;
    }
    expect([await found("day2"), await found("day1"), await found("day0")]).toEqual([
      true,
      true,
      true,
    ]);
    const last = await store.search({ text: "needle" });
    expect([last.hits[0]?.text, last.notIndexed]).toEqual(["day0 needle", { days: [], bytes: 0 }]);
  });

  it("is made again where a file of it was damaged, and never answers from damage", async () => {
    const folder = testFolder();
    const store = openLog(folder);
    const random = seeded("damage");
    await store.append(
      Array.from({ length: 60 }, (_, at) => randomEvent(random, at, { from: NOON, days: 2 })),
    );
    const reference = await referenceSearch(store);
    for (let turn = 0; turn < 30; turn++) {
      while (await store.prepareSearch()) {}
      const file = pick(random, filesBelow(join(folder, "index")));
      const bytes = readFileSync(file);
      const at = Math.floor(random() * bytes.length);
      if (turn % 3 === 0) {
        truncateSync(file, at);
      } else {
        writeFileSync(
          file,
          bytes.fill((bytes[at] as number) ^ (1 << Math.floor(random() * 8)), at, at + 1),
        );
      }
      const query = randomQuery(random);
      for (const one of [store, openLog(folder)]) {
        expect(await rankedBy(one, query)).toEqual(reference(query));
      }
    }
  });

  it("keeps no purge and no search from its end where several files of it are damaged at once", async () => {
    const folder = testFolder();
    const store = openLog(folder);
    const month = 30 * 24 * 60;
    // What two captures read may be in two segments, so it's looked up in both.
    for (const minutes of [0, month]) {
      await store.append([message("the door", minutes, { origin: "line" })]);
      await store.append(heavyDay(minutes / (24 * 60), 1_300_000));
      while (await store.prepareSearch()) {}
    }
    const [doomed] = await store.append([message("the key", 2 * month)]);
    while (await store.prepareSearch()) {}
    const segments = segmentsIn(folder);
    expect(segments).toHaveLength(3);
    for (const file of segments) {
      truncateSync(file, 0);
    }
    await store.purge({ ids: [doomed?.id ?? ""] });
    expect(segmentsIn(folder)).toEqual([]);
    const reference = await referenceSearch(store);
    for (const one of [store, openLog(folder)]) {
      expect(await rankedBy(one, "door")).toEqual(reference("door"));
      expect((await one.search({ text: "key" })).hits).toEqual([]);
    }
  });

  it("answers where another process wrote a segment again, without the outputs that retention dropped", async () => {
    const folder = testFolder();
    const output = "no word of it counts\n".repeat(30_000);
    const store = openLog(folder);
    await store.append([message(`needle\n${output}middleword\n${output}`), message("the door", 1)]);
    while (await store.prepareSearch()) {}
    expect((await store.search({ text: "middleword" })).hits).toHaveLength(1);
    const other = openLog(folder);
    await other.retain({ artifactsDays: 90, artifactsBytes: 0 });
    while (await other.prepareSearch()) {}
    const written = segmentsIn(folder);
    expect((await store.search({ text: "middleword" })).hits).toEqual([]);
    expect((await store.search({ text: "door" })).hits).not.toEqual([]);
    expect(segmentsIn(folder)).toEqual(written);
  });

  it("has another version when the same events give another segment", () => {
    const random = seeded("version");
    const lines = Array.from({ length: 40 }, (_, at) => {
      const draft = randomEvent(random, at, { from: NOON, days: 1 });
      return writeEventLine(prepare(draft, UNREDACTED, NOON));
    });
    const whole = Buffer.from(`${lines.join("\n")}\n`);
    const piece = { file: "2026-11-21.0", from: 0, to: whole.length };
    const read = [{ piece, bytes: whole, textBytes: whole.length }];
    const bytes = encodeSegment(buildSegment(read, new Artifacts(testFolder()), () => false));
    const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
    // Where the digest is another one, indexes that are there hold something else: raise the version, which makes them again.
    expect({ version: VERSION, digest }).toEqual({ version: 14, digest: "e624b37a9bf6584d" });
  });

  it("is read once by a process, which then reads little more than what it shows", async () => {
    const folder = testFolder();
    const some = Array.from({ length: 5_000 }, (_, at) =>
      message(at === 2_500 ? "the needle" : `hay ${at % 9}`, at / 10),
    );
    await openLog(folder).append(some);
    while (await openLog(folder).prepareSearch()) {}
    const store = openLog(folder);
    await store.search({ text: "another word" });
    const { hits, bytes } = await countingReads(async (soFar) => ({
      ...(await store.search({ text: "needle" })),
      ...soFar(),
    }));
    expect(hits[0]?.text).toBe("the needle");
    expect(bytes).toBeLessThan(2_000);
  });

  it("of an earlier version is never read, and the next update or purge removes it", async () => {
    const folder = testFolder();
    const store = openLog(folder);
    const [doomed] = await store.append([message("the key"), message("the door", 1)]);
    const old = [".segment", ".v7.words"].map((suffix) => `0123456789abcdef${suffix}`);
    const write = () => {
      const search = join(folder, "index", "search");
      mkdirSync(search, { recursive: true });
      for (const name of ["manifest.json", ...old]) {
        writeFileSync(join(search, name), "key door");
      }
    };
    for (const remove of [
      () => store.prepareSearch(),
      () => store.purge({ ids: [doomed?.id ?? ""] }),
    ]) {
      write();
      expect(await rankedBy(openLog(folder), "door")).toEqual(
        (await referenceSearch(store))("door"),
      );
      await remove();
      expect(filesBelow(join(folder, "index", "search")).sort()).toEqual(segmentsIn(folder));
    }
  });

  it("comes to an end with a text that is longer than a segment, behind a short one", async () => {
    const folder = testFolder();
    const store = openLog(folder);
    const long = `the needle\n${`${"x".repeat(99)}\n`.repeat(90_000)}`;
    await store.append([message(long), message("the door", 1)]);
    let steps = 1;
    for (; await store.prepareSearch(); steps++) {
      expect(steps).toBeLessThan(5);
    }
    const { hits, notIndexed } = await openLog(folder).search({ text: "needle door" });
    expect([hits.length, notIndexed.bytes]).toEqual([2, 0]);
  });

  it.each(["\n", ""])(
    "comes to an end with a line that is longer than a segment, behind a short one; its end: %j",
    async (end) => {
      const folder = testFolder();
      const store = openLog(folder);
      await store.append([message("the door")]);
      while (await store.prepareSearch()) {}
      const [path = ""] = filesBelow(join(folder, "events"));
      appendFileSync(path, `{"x":"${"x".repeat(SEGMENT_BYTES + 100)}"}${end}`);
      let steps = 1;
      for (; await store.prepareSearch(); steps++) {
        expect(steps).toBeLessThan(5);
      }
      expect((await openLog(folder).search({ text: "door" })).hits).toHaveLength(1);
    },
  );

  it("has few segments, however often a little is indexed", async () => {
    const folder = testFolder();
    const store = openLog(folder);
    for (let turn = 0; turn < 36; turn++) {
      await store.append(
        heavyDay(turn % 3, 300_000).map((draft) => ({ ...draft, session: `s${turn}` })),
      );
      await store.append([message(`turn ${turn}`, turn)]);
      while (await store.prepareSearch()) {}
    }
    // Each has at least 1 MB, but for the last.
    expect(segmentsIn(folder).length).toBeLessThan(12);
    const reference = await referenceSearch(store);
    for (const query of ["turn 7", "day1 number 3"]) {
      expect(await rankedBy(openLog(folder), query)).toEqual(reference(query));
    }
  });

  it("is readable for nobody else", async () => {
    const folder = testFolder();
    const store = openLog(folder);
    await store.append([message("the door")]);
    await store.prepareSearch();
    const modes = filesBelow(join(folder, "index")).map((file) => statSync(file).mode & 0o777);
    expect(new Set(modes)).toEqual(new Set([0o600]));
  });
});
