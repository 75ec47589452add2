/**
 * From the start of the process to the answer of `tools/list`, and on to the answer of the first write, also in time of the processor, which
 * other work on the machine changes less; and the memory that a server holds: `npm run bench:start [-- --before FOLDER]`, with a folder that holds another build.
 *
 * Against a bare `node -e 0`, the release before and the official memory server, in turn; ours also where sessions are recorded. A copy in a
 * repository is the same program.
 */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { greeting, toInput } from "../../test/support/exchange.ts";
import { realisticMemory } from "../../test/support/realistic-memory.ts";
import { removeFolder } from "../../test/support/scratch.ts";
import { runNode } from "../support/run-node.ts";
import {
  bareStart,
  type Contender,
  contenders,
  inTurn,
  OFFICIAL,
  plainEnv,
} from "../support/side-by-side.ts";
import { sized } from "../support/sized.ts";
import { print, quantile, type Row, round } from "../support/table.ts";

const ROUNDS = sized(40, 1);
const LESSONS = 50;
/** Until a server is idle, in ms: what loads after the first answer has loaded, and the engine has given back what that took. */
const SETTLING = sized(12_000, 100);
const LIST_ID = 2;
const WRITE_ID = 3;
const INPUT = toInput([...greeting("bench"), { id: LIST_ID, method: "tools/list" }]);

const { values } = parseArgs({
  options: { json: { type: "boolean", default: false }, before: { type: "string" } },
});
const { lessons } = realisticMemory(LESSONS);
const [now, ...others] = contenders(values.before) as [Contender, ...Contender[]];
const all = [now, recorded(now), ...others];
const bare: number[] = [];
const firstWrites = new Map(all.map((contender) => [contender, [] as number[]]));
const processor = new Map(all.map((contender) => [contender, [] as number[]]));
const lists = await inTurn(ROUNDS, all, async (contender) => {
  if (contender === all[0]) {
    bare.push(await bareStart());
  }
  const { listed, written, processorMs } = await firstAnswers(contender);
  firstWrites.get(contender)?.push(written);
  processor.get(contender)?.push(processorMs);
  return listed;
});
const resident = new Map<Contender, number>();
for (const contender of all) {
  resident.set(contender, (await firstAnswers(contender, SETTLING)).megabytes);
}

const at = all.indexOf(OFFICIAL);
const rows = all.map((contender, index): Row => {
  const [list, write] = [lists[index] ?? [], firstWrites.get(contender) ?? []];
  const ratio = (times: readonly number[], official: readonly number[] = []) =>
    round(quantile(times, 0.5) / quantile(official, 0.5), 2);
  return {
    server: contender.name,
    "tools/list, ms": round(quantile(list, 0.5), 0),
    "of the official server": ratio(list, lists[at]),
    "first write, ms": round(quantile(write, 0.5), 0),
    "of the official server's": ratio(write, firstWrites.get(OFFICIAL)),
    "its processor time": ratio(processor.get(contender) ?? [], processor.get(OFFICIAL)),
    [`resident MB after ${SETTLING / 1_000} s`]: resident.get(contender) ?? 0,
  };
});
print(
  [
    { title: `From the start, median of ${ROUNDS} rounds, ${LESSONS} lessons`, rows },
    { title: "In the same rounds", rows: [{ "node -e 0, ms": round(quantile(bare, 0.5), 0) }] },
  ],
  values.json,
);

/** Where sessions are recorded: more is looked at, and more tools are listed. */
function recorded(contender: Contender): Contender {
  const start: Contender["start"] = (given) => {
    const place = contender.start(given);
    const env = { ...place.env, HOME: join(place.folder, "home") };
    runNode([place.script, "sessions", "on"], { cwd: place.folder, env: plainEnv(env) });
    return { ...place, env };
  };
  return { ...contender, name: "recorded", start };
}

/** @param wait ms to go on before memory is read. */
async function firstAnswers(contender: Contender, wait = 0) {
  const { script, folder, env } = contender.start(lessons);
  const began = performance.now();
  const server = spawn(process.execPath, [script], {
    cwd: folder,
    env: plainEnv(env),
    stdio: ["pipe", "pipe", "ignore"],
  });
  let output = "";
  let heard = () => {};
  server.stdout.on("data", (chunk) => {
    output += chunk;
    heard();
  });
  const answered = async (id: number) => {
    const answer = new RegExp(`^(?=.*"id":${id}\\b).*\n`, "m");
    while (!answer.test(output)) {
      await new Promise<void>((resolve) => (heard = resolve));
    }
    return performance.now() - began;
  };
  server.stdin.write(INPUT);
  const listed = await answered(LIST_ID);
  const [name, args] = contender.write("the first gap");
  server.stdin.write(
    toInput([{ id: WRITE_ID, method: "tools/call", params: { name, arguments: args } }]),
  );
  const written = await answered(WRITE_ID);
  const processorMs = processorTime(server.pid ?? 0);
  await new Promise((resolve) => setTimeout(resolve, wait));
  const megabytes = residentMegabytes(server.pid ?? 0);
  server.kill();
  removeFolder(folder);
  return { listed, written, processorMs, megabytes };
}

/** Of all threads until now, in ms, from the kernel's book-keeping; 0 where there is none. */
function processorTime(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const spent = threads.map(
      (id) => readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8").split(" ")[0],
    );
    return spent.reduce((sum, nanoseconds) => sum + Number(nanoseconds) / 1e6, 0);
  } catch {
    return 0;
  }
}

/** Also from there. */
function residentMegabytes(pid: number): number {
  try {
    return round(
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024,
      0,
    );
  } catch {
    return 0;
  }
}
