/** locks.cjs PROJECT: locks that no living writer holds, and a scanner that has a file in a new lock open. */
const { spawn, spawnSync } = require("node:child_process");
const { mkdirSync, utimesSync, writeFileSync } = require("node:fs");
const { hostname } = require("node:os");
const { join } = require("node:path");

function add(project, number, env = {}) {
  const program = join(project, ".context/server/sentinel-memory.cjs");
  const words = [
    "add",
    "--topic",
    "locks",
    "--missing",
    `lock ${number}`,
    "--lesson",
    `r${number}`,
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    cwd: project,
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  return { status, text: stdout + stderr };
}

function leaveLock(project, pid, ageMs) {
  const lock = join(project, ".context/memory_log.jsonl.lock");
  mkdirSync(lock);
  const owner = { pid, started: "", host: `${hostname()}  `, token: "left" };
  writeFileSync(join(lock, "owner.json"), JSON.stringify(owner));
  const touched = new Date(Date.now() - ageMs);
  utimesSync(lock, touched, touched);
}

function main([project]) {
  const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  leaveLock(project, other.pid, 61_000);
  const reused = add(project, 1);
  other.kill();
  const preload = join(__dirname, "refuse-renames.cjs").replaceAll("\\", "/");
  const scanned = add(project, 2, { NODE_OPTIONS: `--require ${preload}` });
  return { reused, scanned };
}

process.stdout.write(JSON.stringify(main(process.argv.slice(2))));
