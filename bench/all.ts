/** The quick benches that need no data, one after the other: `npm run bench [-- --json]`. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const BENCHES = [
  "lessons/start",
  "lessons/answers",
  "lessons/write",
  "lessons/conflicts",
  "lessons/tokens",
  "lessons/hook",
  "lessons/doctor",
  "sessions/events",
];

for (const name of BENCHES) {
  const script = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  const { status } = spawnSync(
    process.execPath,
    [...process.execArgv, script, ...process.argv.slice(2)],
    {
      stdio: "inherit",
    },
  );
  if (status !== 0) {
    process.exitCode = 1;
  }
}
