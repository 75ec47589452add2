/**
 * Reading transcripts into the session log, beside the floor of the same run: reading the same files and parsing their lines. Redaction is
 * told apart. `npm run bench:capture [-- --data DIR] [--json]`: DIR has transcripts of Claude Code; without it they are made up.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { folderSize } from "../../src/ground/files/read-files.ts";
import { capture } from "../../src/sessions/capture/capture.ts";
import type { CaptureReport } from "../../src/sessions/capture/report.ts";
import { type LogManifest, manifestText } from "../../src/sessions/consent/find-log.ts";
import { jsonlEventStore } from "../../src/sessions/files/store.ts";
import { eventRedactor, type Redactor } from "../../src/sessions/storing/redactor.ts";
import { claudeCodeReader } from "../../src/sessions/transcripts/claude-code.ts";
import { pick, seeded, word } from "../../test/support/random.ts";
import { removeFolder, scratchFolder } from "../../test/support/scratch.ts";
import { Session, transcriptFolder } from "../../test/support/transcript.ts";
import { UNREDACTED } from "../../test/support/unredacted.ts";
import { sized } from "../support/sized.ts";
import { print, quantile, type Row, round } from "../support/table.ts";

const ROUNDS = sized(3, 1);
/** What the session log and its index may take of the transcripts they came from. */
const MOST_SHARE = 0.33;
const MEGABYTE = 1_000_000;
const SESSIONS = sized(20, 2);
const TURNS = sized(100, 2);
const NOISE_BYTES = 3_000;
const ID = "01KJ844YNTMDH6521Q517KPCB1";
const MANIFEST: LogManifest = {
  format: 4,
  id: ID,
  project: "",
  intervals: [{ on: "2020-01-01T00:00:00.000Z" }],
  skipped: [],
};

const { values } = parseArgs({ options: { data: { type: "string" }, json: { type: "boolean" } } });
const home = scratchFolder("bench");
const project = join(home, "app");
const clientFolder = join(home, ".claude");
const transcripts = join(clientFolder, transcriptFolder(project));
const logFolder = join(home, "records", ID);

try {
  mkdirSync(project);
  mkdirSync(transcripts, { recursive: true });
  for (const [name, text] of values.data === undefined ? madeUp() : from(values.data)) {
    writeFileSync(join(transcripts, name), text);
  }
  const floors: number[] = [];
  const plain: number[] = [];
  const redacted: number[] = [];
  const again: number[] = [];
  let report: CaptureReport | undefined;
  let recorded = 0;
  let index = 0;
  for (let turn = 0; turn < ROUNDS; turn++) {
    floors.push(await timed(readAll));
    newRecord();
    plain.push(await timed(() => captured(UNREDACTED)));
    newRecord();
    redacted.push(
      await timed(async () => {
        report = await captured(eventRedactor());
      }),
    );
    recorded = folderSize(join(logFolder, "events")) + folderSize(join(logFolder, "artifacts"));
    index = await timed(async () => {
      const store = jsonlEventStore({ folder: logFolder, redactor: UNREDACTED, now: Date.now });
      while (await store.prepareSearch()) {}
    });
    again.push(await timed(() => captured(eventRedactor())));
  }
  const best = (times: readonly number[]) => round(quantile(times, 0), 0);
  const row: Row = {
    "MB in": round((report?.bytes ?? 0) / MEGABYTE, 1),
    lines: report?.lines ?? 0,
    "MB recorded": round(recorded / MEGABYTE, 1),
    "not content %": round(
      100 * (1 - contentIn(join(logFolder, "events")) / folderSize(join(logFolder, "events"))),
      1,
    ),
    "MB index": round(folderSize(join(logFolder, "index")) / MEGABYTE, 2),
    "recorded and index / in": round(
      (recorded + folderSize(join(logFolder, "index"))) / (report?.bytes ?? Number.NaN),
      3,
    ),
    "at most": MOST_SHARE,
    "index ms": round(index, 0),
    "floor ms": best(floors),
    "capture ms": best(plain),
    "x floor": round(best(plain) / best(floors), 1),
    "with redaction ms": best(redacted),
    "nothing new ms": best(again),
  };
  const sections = [{ title: `Capture, the best of ${ROUNDS}`, rows: [row] }];
  const kinds = { title: "Events", rows: [{ ...report?.events }] };
  const unknown = {
    title: "Not understood",
    rows: Object.keys(report?.unknown ?? {}).length > 0 ? [{ ...report?.unknown }] : [],
  };
  print(
    [...sections, kinds, unknown].filter(({ rows }) => rows.length > 0),
    values.json ?? false,
  );
} finally {
  removeFolder(home);
}

/** Bytes of the contents of events, as they stand in their lines; the last of each. */
function contentIn(events: string): number {
  const files = readdirSync(events, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".jsonl"),
  );
  const lines = files.flatMap((name) =>
    readFileSync(join(events, name), "utf8").trimEnd().split("\n"),
  );
  const contents = lines.map((line) => JSON.parse(line)).filter(Array.isArray);
  return contents.reduce((sum, parts) => sum + Buffer.byteLength(JSON.stringify(parts.at(-1))), 0);
}

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function readAll(): void {
  for (const name of readdirSync(transcripts)) {
    for (const line of readFileSync(join(transcripts, name), "utf8").split("\n")) {
      if (line !== "") {
        JSON.parse(line);
      }
    }
  }
}

function newRecord(): void {
  rmSync(logFolder, { recursive: true, force: true });
  mkdirSync(logFolder, { recursive: true });
  writeFileSync(join(logFolder, "manifest.json"), manifestText(MANIFEST));
}

function captured(redactor: Redactor): Promise<CaptureReport> {
  const store = jsonlEventStore({ folder: logFolder, redactor, now: Date.now });
  const record = {
    id: ID,
    folder: logFolder,
    manifest: MANIFEST,
    isWritable: true,
  };
  const place = { path: project, hasGit: false, folder: project };
  const readers = [{ reader: claudeCodeReader, clientFolder }];
  return capture({ record, home: place, store, now: Date.now(), readers });
}

/** The transcripts of a folder, as if their sessions had been in the project. */
function from(folder: string): [string, string][] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  const texts = names.map((name) => readFileSync(join(folder, name), "utf8"));
  const cwd = /"cwd":"([^"]+)"/.exec(texts[0] ?? "")?.[1] ?? project;
  return names.map((name, at) => [name, (texts[at] ?? "").replaceAll(cwd, project)]);
}

function madeUp(): [string, string][] {
  const random = seeded(1);
  const words = Array.from({ length: 400 }, () => word(random, 6));
  const text = (length: number) => Array.from({ length }, () => pick(random, words)).join(" ");
  return Array.from({ length: SESSIONS }, (_, at) => {
    const session = new Session({
      id: `5e5510${10 + at}-0000-4000-8000-000000000000`,
      cwd: project,
    });
    for (let turn = 0; turn < TURNS; turn++) {
      session.asks(text(15)).says(text(30));
      session.uses("Bash", { command: `make ${turn}` }, text(70), {
        toolUseResult: { stdout: text(70), stderr: "" },
      });
      session.add({
        type: "progress",
        data: { type: "bash_progress", fullOutput: "x".repeat(NOISE_BYTES) },
      });
    }
    return [session.file, session.text];
  });
}
