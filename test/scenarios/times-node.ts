/**
 * What something costs a server, as a multiple of a node that starts and ends: in turns, and the least of each counts. It is the time of the
 * processor, because what others on the machine do is not in that.
 */
import { readdirSync, readFileSync } from "node:fs";
import { runProcess } from "../support/run-process.ts";

/** So many always, for the least of both to settle; more where the machine does much else at once. */
const LEAST_ROUNDS = 8;
const MOST_ROUNDS = 60;
const BARE = "const { user, system } = process.cpuUsage(); console.log((user + system) / 1000)";

/** @param most is enough: then it measures no longer. @param work gives its own time, in ms. */
export async function timesNode(most: number, work: () => Promise<number>): Promise<number> {
  let [ours, bare] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 1; round <= MOST_ROUNDS; round++) {
    const { stdout } = await runProcess(process.execPath, ["-e", BARE], { cwd: ".", env: {} });
    bare = Math.min(bare, Number(stdout));
    ours = Math.min(ours, await work());
    if (round >= LEAST_ROUNDS && ours <= most * bare) break;
  }
  return ours / bare;
}

/** The time of the processor that a process spends while something is done, in ms. */
export async function spentBy(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = processorMs(pid);
  await work();
  return processorMs(pid) - before;
}

function processorMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const spent = threads.map((id) =>
    Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8").split(" ")[0]),
  );
  return spent.reduce((sum, each) => sum + each, 0) / 1e6;
}
