/**
 * From the start of the process to the answer of `tools/list`, and the memory it then holds: `npm run bench:start`.
 *
 * Against a bare `node -e 0` and the official memory server, in turn, so that a machine that slows down slows all alike.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { greeting, toInput } from "../test/support/exchange.ts";
import { removeFolder } from "../test/support/scratch.ts";
import { ours, type Start, theOfficial } from "./servers.ts";
import { print, quantile, round } from "./table.ts";

const ROUNDS = 15;
/** Until a server is idle, in ms: what loads after the first answer has loaded, and the engine has given back what that took. */
const SETTLING = 12_000;
const INPUT = toInput([...greeting("bench"), { id: 2, method: "tools/list" }]);
/** Lines: of `initialize` and of `tools/list`, in any order. */
const ANSWERS = 2;

const { values } = parseArgs({ options: { json: { type: "boolean", default: false } } });
const times = { node: [] as number[], ours: [] as number[], official: [] as number[] };
for (let count = 0; count < ROUNDS; count++) {
  times.node.push(await bareNode());
  times.ours.push((await firstAnswer(ours())).ms);
  times.official.push((await firstAnswer(theOfficial())).ms);
}
const idle = {
  ours: (await firstAnswer(ours(), SETTLING)).megabytes,
  official: (await firstAnswer(theOfficial(), SETTLING)).megabytes,
};
const median = (name: keyof typeof times) => quantile(times[name], 0.5);
const row = (server: string, name: keyof typeof times, resident: number | string) => ({
  server,
  "ms (median)": round(median(name), 0),
  "of the official server": round(median(name) / median("official"), 2),
  "resident MB after 12 s": resident,
});
print(
  [
    {
      title: `Start to the answer of tools/list, ${ROUNDS} rounds`,
      rows: [
        row("node -e 0", "node", ""),
        row("sentinel-memory", "ours", idle.ours),
        row("official memory server", "official", idle.official),
      ],
    },
  ],
  values.json,
);

function bareNode(): Promise<number> {
  const start = performance.now();
  return new Promise((resolve) => {
    spawn(process.execPath, ["-e", "0"]).on("exit", () => resolve(performance.now() - start));
  });
}

/** @param wait ms to go on before memory is read. */
async function firstAnswer({ script, folder, env }: Start, wait = 0): Promise<{ ms: number; megabytes: number }> {
  const start = performance.now();
  const server = spawn(process.execPath, [script], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "ignore"],
  });
  server.stdin.write(INPUT);
  let output = "";
  await new Promise<void>((resolve) => {
    server.stdout.on("data", (chunk) => {
      output += chunk;
      if (output.split("\n").length > ANSWERS) resolve();
    });
  });
  const ms = performance.now() - start;
  await new Promise((resolve) => setTimeout(resolve, wait));
  const megabytes = residentMegabytes(server.pid ?? 0);
  server.kill();
  removeFolder(folder);
  return { ms, megabytes };
}

/** From the kernel's book-keeping; 0 where there is none. */
function residentMegabytes(pid: number): number {
  try {
    return round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024, 0);
  } catch {
    return 0;
  }
}
