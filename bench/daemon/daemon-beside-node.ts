/**
 * Appends of many clients beside the least that could take them: node:http in a process of its own that puts each event into one table with one
 * key. In turns, so that both find the machine as busy; the time of processors says where a call spends it. BENCH_PEER may name the program of
 * another build, which is measured beside it.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { createInterface } from "node:readline";
import type { EventDraft } from "../../src/sessions/kinds/event.ts";
import { emptyDatabase, type Postgres, poolOf } from "../../test/support/postgres-server.ts";
import { sized } from "../support/sized.ts";
import { quantile, type Row, round, type Section } from "../support/table.ts";
import { bundleEvent } from "./bundle-corpus.ts";
import { startDaemon } from "./daemon-process.ts";
import { realEvents } from "./real-texts.ts";

const CLIENTS = sized(50, 2);
/** Calls of each client in a turn, by how many events a call has. */
const WAYS = {
  "single events": { events: 1, calls: sized(30, 2) },
  "batches of 50": { events: 50, calls: 2 },
};
const TURNS = Number(process.env.BENCH_TURNS ?? sized(7, 1));
const GOALS = { "single events": 0.4, "batches of 50": 0.25 };

const FLOOR = `
import { createServer } from "node:http";
import pg from "pg";
const pool = new pg.Pool({ connectionString: process.argv[1], max: 16 });
const COLUMNS = 6;
const server = createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const { drafts } = JSON.parse(Buffer.concat(parts).toString());
  const values = drafts.flatMap(({ origin, ts, session, kind, content }) => ["acme", origin, ts, session, kind, JSON.stringify(content)]);
  const rows = drafts.map((_, row) => "(" + Array.from({ length: COLUMNS }, (_, at) => "$" + (row * COLUMNS + at + 1)).join(", ") + ")");
  await pool.query("insert into floor values " + rows.join(", ") + " on conflict do nothing", values);
  const text = JSON.stringify({ events: drafts });
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
  response.end(text);
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
`;
const TABLE = `create table floor (tenant text, key text, ts timestamptz, session text, kind text, content json, primary key (tenant, key))`;

interface Target {
  readonly url: string;
  readonly pid: number;
  readonly tokens: readonly string[];
  readonly end: () => unknown;
}

export async function measureBesideNode(
  postgres: Postgres,
  data: string | undefined,
): Promise<Section> {
  const eventAt = data === undefined ? bundleEvent : realEvents(data);
  const targets = { floor: await startFloor(postgres), daemon: await targetOf(postgres) };
  const peer = process.env.BENCH_PEER;
  if (peer) {
    Object.assign(targets, { peer: await targetOf(postgres, peer) });
  }
  const names = Object.keys(targets) as (keyof typeof targets)[];
  let drawn = 0;
  const draw = (client: number): EventDraft => {
    const draft = eventAt(drawn);
    // A session is of one person, who speaks for nobody else. The origin is as a capture names the lines of a transcript.
    const session = `0b9a7c3e-1234-4a4b-9c9d-${String(client).padStart(12, "0")}`;
    const origin = `claude-code:0b8a1f8e-8d0c-4b7e-9a35-3f0e5b0c7d11:${drawn++}`;
    return { ...draft, session, channel: "team", origin };
  };
  const rows: Row[] = [];
  for (const [way, { events, calls }] of Object.entries(WAYS)) {
    const takenBy = new Map<string, Taken[]>(names.map((name) => [name, []]));
    for (let turn = -1; turn < TURNS; turn++) {
      const bodies = Array.from({ length: CLIENTS }, (_, client) =>
        Array.from({ length: calls }, () =>
          JSON.stringify({ drafts: Array.from({ length: events }, () => draw(client)) }),
        ),
      );
      for (const name of turn % 2 ? names : names.toReversed()) {
        const taken = await take(targets[name], bodies, postgres);
        if (turn >= 0) {
          takenBy.get(name)?.push(taken);
        }
      }
    }
    const count = CLIENTS * calls * events;
    const floor = takenBy.get("floor") ?? [];
    for (const [name, taken] of takenBy) {
      const shares = taken.map(({ ms }, at) => (floor[at]?.ms ?? 0) / ms);
      const median = (of: readonly Taken[], what: keyof Taken) =>
        quantile(
          of.map((one) => one[what]),
          0.5,
        );
      const each = (what: keyof Taken) => Math.round((1_000 * median(taken, what)) / count);
      const processors = (of: readonly Taken[]) => median(of, "own") + median(of, "postgres");
      rows.push({
        way,
        of: name,
        "events/s": Math.round((1_000 * count) / median(taken, "ms")),
        share: round(quantile(shares, 0.5), 2),
        "of the turns": shares.map((share) => share.toFixed(2)).join(" "),
        "its processor, µs an event": each("own"),
        "PostgreSQL's": each("postgres"),
        "the client's": each("client"),
        "share by processor": round(processors(floor) / processors(taken), 2),
        "memory at most, MB": mostOf(targets[name as keyof typeof targets].pid),
      });
    }
  }
  for (const { end } of Object.values(targets)) {
    await end();
  }
  const goals = Object.entries(GOALS).map(([way, goal]) => `${goal} for ${way}`);
  return {
    title: `Appends of ${CLIENTS} clients beside node:http with an INSERT. Goals: ${goals.join(", ")}`,
    rows,
  };
}

const mostOf = (pid: number) =>
  Math.round(
    Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024,
  );

async function targetOf(postgres: Postgres, bin?: string): Promise<Target> {
  const daemon = await startDaemon(postgres, {}, bin);
  const callers = await Promise.all(
    Array.from({ length: CLIENTS }, (_, at) => daemon.as(`person ${at}`)),
  );
  const tokens = callers.map(({ token }) => token);
  return { url: callers[0]?.url ?? "", pid: daemon.pid, tokens, end: () => daemon.end() };
}

/** In ms, of the clock and of processors. */
interface Taken {
  readonly ms: number;
  readonly client: number;
  readonly own: number;
  readonly postgres: number;
}

/** @param bodies those of each client. */
async function take(
  { url, pid, tokens }: Target,
  bodies: readonly (readonly string[])[],
  postgres: Postgres,
): Promise<Taken> {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const [own, server, client] = [processorMs(pid), serverMs(postgres), process.cpuUsage()];
  const began = performance.now();
  await Promise.all(
    tokens.map(async (token, client) => {
      for (const body of bodies[client] ?? []) {
        await post(agent, `${url}/v1/events/append`, token, body);
      }
    }),
  );
  const ms = performance.now() - began;
  agent.destroy();
  const { user, system } = process.cpuUsage(client);
  return {
    ms,
    own: processorMs(pid) - own,
    postgres: serverMs(postgres) - server,
    client: (user + system) / 1_000,
  };
}

function post(agent: Agent, url: string, token: string, body: string): Promise<void> {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const call = request(url, { method: "POST", agent, headers }, (response) => {
      if (response.statusCode !== 200) {
        reject(new Error(`${response.statusCode}`));
      }
      response.on("end", resolve).resume();
    });
    call.on("error", reject).end(body);
  });
}

async function startFloor(postgres: Postgres): Promise<Target> {
  const database = await emptyDatabase(postgres);
  const pool = poolOf(postgres.port, "owner", database, { max: 1 });
  await pool.query(TABLE);
  await pool.end();
  const address = `postgres://owner@127.0.0.1:${postgres.port}/${database}`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", FLOOR, address], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  process.once("exit", () => child.kill());
  const [port] = await once(createInterface({ input: child.stdout }), "line");
  const tokens = Array.from({ length: CLIENTS }, () => "");
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, tokens, end: () => child.kill() };
}

const TICK_MS = 10;

/** Time of processors that a process has taken; with children also those that have ended. */
function processorMs(pid: number, withChildren = false): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  const ticks = fields.slice(11, withChildren ? 15 : 13).map(Number);
  return TICK_MS * ticks.reduce((sum, one) => sum + one, 0);
}

function serverMs({ folder }: Postgres): number {
  const [pid = ""] = readFileSync(`${folder}/data/postmaster.pid`, "utf8").split("\n");
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .split(" ")
    .filter(Boolean);
  return children.reduce(
    (sum, child) => sum + processorMs(Number(child)),
    processorMs(Number(pid), true),
  );
}
