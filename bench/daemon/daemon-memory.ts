/** Resident memory of a daemon that four people write to and read, beside that of a stdio server that one does the same with. */
import { readFileSync } from "node:fs";
import { NO_OWN_WORDS } from "../../src/ground/redaction/own-words.ts";
import { openBundle } from "../../src/sessions/bundle/open-bundle.ts";
import { remoteEventStore } from "../../src/sessions/remote/store.ts";
import type { Postgres } from "../../test/support/postgres-server.ts";
import { BIN, Project } from "../../test/support/project.ts";
import { recordFromTheStart } from "../../test/support/recorded.ts";
import { startServer } from "../../test/support/server.ts";
import { UNREDACTED } from "../../test/support/unredacted.ts";
import { corpusQuery } from "../support/index-corpus.ts";
import { sized } from "../support/sized.ts";
import { round, type Section } from "../support/table.ts";
import { bundleEvent } from "./bundle-corpus.ts";
import { startDaemon } from "./daemon-process.ts";

const PEOPLE = sized(4, 1);
const ROUNDS = sized(20, 1);
const BATCH = sized(100, 5);
const MOST_TIMES = 2;

export async function measureMemory(postgres: Postgres): Promise<Section> {
  const daemon = await ofDaemon(postgres);
  const server = await ofServer();
  const rows = [
    { "daemon, MB": daemon, "stdio server, MB": server, times: round(daemon / server, 2) },
  ];
  return {
    title: `Resident memory at its highest, under load. Goal: ${MOST_TIMES} times a stdio server's`,
    rows,
  };
}

async function ofDaemon(postgres: Postgres): Promise<number> {
  const daemon = await startDaemon(postgres);
  const work = async (_: unknown, person: number) => {
    const events = remoteEventStore({
      ...(await daemon.as(`person ${person}`)),
      redactor: UNREDACTED,
    });
    for (let turn = 0; turn < ROUNDS; turn++) {
      const first = (person * ROUNDS + turn) * BATCH;
      await events.append(Array.from({ length: BATCH }, (_, at) => bundleEvent(first + at)));
      const request = {
        query: corpusQuery(turn),
        session: "s",
        channel: "private",
        maxTokens: 4_000,
      } as const;
      await openBundle(request, {
        project: new Map(),
        events,
        lessons: undefined,
        ownWords: NO_OWN_WORDS,
        now: Date.now(),
      });
    }
  };
  await Promise.all(Array.from({ length: PEOPLE }, work));
  const most = mostOf(daemon.pid);
  await daemon.end();
  return most;
}

/** As many events, one a call, as an agent records them. */
async function ofServer(): Promise<number> {
  const project = await Project.repository();
  await recordFromTheStart(project);
  const { folder, env } = project;
  const server = await startServer({
    client: "claude-code",
    args: [BIN, "--project", folder],
    env,
  });
  for (let turn = 0; turn < ROUNDS; turn++) {
    for (let at = 0; at < BATCH; at++) {
      const text = String(bundleEvent(turn * BATCH + at).content.text ?? "called").slice(0, 1_000);
      await server.ask("record_event", {
        kind: "message",
        content: { text: `${turn} ${at} ${text}` },
      });
    }
    await server.ask("build_acb", { query: corpusQuery(turn) });
  }
  const most = mostOf(server.pid);
  await server.end();
  await project.remove();
  return most;
}

function mostOf(pid: number): number {
  return Math.round(
    Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024,
  );
}
