/**
 * One server, a capture loop and one daemon for a while, with kills, purges, merges and steps of the clock: is anything lost, is anything
 * there twice, does memory grow? `npm run soak [-- --minutes N] [--json]`, an hour by default; it needs PostgreSQL. Ends with 1 when
 * something is lost, twice or back, or when a process ends up with over a quarter more memory than it had halfway.
 *
 * In a project an agent logs, searches, forgets and purges on a server that lives to the end, while other servers are killed as they save,
 * and a teammate's branch is merged. Of another project a transcript grows that captures send to a daemon; captures and, in the first half,
 * the daemon are killed. The clocks of the server and of the daemon are set by up to half a day as they run. What was acknowledged, or stands
 * in the transcript, has to be there once in the end.
 */
import { parseArgs } from "node:util";
import { startPostgres, stopPostgres } from "../../test/support/postgres-server.ts";
import { Project } from "../../test/support/project.ts";
import { seeded } from "../../test/support/random.ts";
import { startDaemon } from "../daemon/daemon-process.ts";
import { sized } from "../support/sized.ts";
import { print, type Row } from "../support/table.ts";
import { Memory } from "./process-memory.ts";
import { SoakedLessons } from "./soaked-lessons.ts";
import { SoakedSessions } from "./soaked-sessions.ts";
import { SteppedClock } from "./stepped-clock.ts";

const MINUTE = 60_000;
/** A few seconds are over before memory has settled. */
const MOST_GROWTH = sized(1.25, Number.POSITIVE_INFINITY);

const options = {
  minutes: { type: "string", default: "60" },
  json: { type: "boolean", default: false },
} as const;
const { values } = parseArgs({ options });
const minutes = Number(values.minutes);
if (!(minutes > 0)) {
  throw new Error("Say for how many minutes: npm run soak -- --minutes 5");
}

const postgres = await startPostgres();
const projects = await Promise.all([Project.repository(), Project.repository()]);
const clock = await SteppedClock.in(projects[1].home, seeded("clock of the daemon"));
const daemon = await startDaemon(postgres, clock.env);
try {
  const lessons = await SoakedLessons.start(projects[0]);
  const sessions = await SoakedSessions.start(projects[1], daemon, clock);
  const began = Date.now();
  const passed = () => (Date.now() - began) / (minutes * MINUTE);
  const memory = [new Memory("server", () => lessons.pid), new Memory("daemon", () => daemon.pid)];
  const repeat = async (step: () => Promise<void>) => {
    while (passed() < 1) {
      await step();
    }
  };
  await Promise.all([
    repeat(() => lessons.step()),
    repeat(() => sessions.step({ mayKillDaemon: passed() < 0.5 })),
    repeat(async () => {
      for (const of of memory) {
        of.sample(passed());
      }
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }),
  ]);
  const kept = [
    { of: "lessons", ...(await lessons.end()) },
    { of: "sessions", ...(await sessions.end()) },
  ];
  const used: Row[] = memory.map((of) => of.figures());
  print(
    [
      { title: `What was kept in ${minutes} minutes`, rows: kept },
      { title: "What was done", rows: [{ ...lessons.done, ...sessions.done }] },
      { title: "Memory, in MB", rows: used },
    ],
    values.json,
  );
  const isLost = kept.some(({ lost, twice, back }) => lost > 0 || twice > 0 || back > 0);
  if (isLost || memory.some((of) => of.growth > MOST_GROWTH)) {
    process.exitCode = 1;
  }
} finally {
  for (const project of projects) {
    project.remove();
  }
  await daemon.end();
  stopPostgres(postgres);
}
