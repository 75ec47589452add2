/**
 * `npm run test:nodes [-- VERSION...]`: the scenarios and the faults on other versions of Node than the one that is installed here. The npm package
 * `node` brings their programs, which a cache folder of the system keeps. The oldest is the one that package.json promises.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

/** Pinned, so that a run can be repeated. */
const VERSIONS = ["20.17.0", "22.23.3", "24.21.0"];
/** Projects of vitest, the last with the one file whose tests depend on the version. */
const KINDS = [["scenarios"], ["faults"], ["cli", "test/cli/compressed-rollouts.test.ts"]];
const REPORT = "reports/tests.json";

const CACHE = join(
  process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"),
  "sentinel-memory-nodes",
);
const folderOf = (version: string): string => join(CACHE, "node_modules", `node-${version}`, "bin");

const wanted = process.argv.slice(2);
const versions =
  wanted.length === 0
    ? VERSIONS
    : VERSIONS.filter((version) => wanted.includes(version.split(".")[0] ?? ""));
install();
const lines = versions.flatMap((version) => KINDS.map((kind) => run(version, kind)));
console.log(`\n${lines.join("\n")}`);
process.exitCode = versions.length > 0 && lines.every((line) => line.endsWith(" 0 failed")) ? 0 : 1;

/** Installs what is missing. */
function install(): void {
  const dependencies = Object.fromEntries(
    VERSIONS.map((version) => [`node-${version}`, `npm:node@${version}`]),
  );
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(
    join(CACHE, "package.json"),
    JSON.stringify({ private: true, dependencies }, null, 2),
  );
  if (VERSIONS.every((version) => existsSync(folderOf(version)))) {
    return;
  }
  execFileSync("npm", ["install", "--no-audit", "--no-fund"], { cwd: CACHE, stdio: "inherit" });
}

/** Has the tests, and all that they start, run on a version. @returns what came of it. */
function run(version: string, [kind = "", ...files]: readonly string[]): string {
  const folder = folderOf(version);
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH ?? ""}` };
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--project", kind, ...files];
  const { status } = spawnSync(join(folder, "node"), vitest, { env, stdio: "inherit" });
  const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(
    readFileSync(REPORT, "utf8"),
  );
  return `Node ${version}, ${kind}: ${passed} passed, ${status === 0 ? failed : Math.max(failed, 1)} failed`;
}
