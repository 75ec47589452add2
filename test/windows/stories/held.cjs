/** held.cjs PROJECT: files that this process has open while others replace them, as a scanner or an editor has. */
const { spawn } = require("node:child_process");
const { closeSync, existsSync, openSync, readdirSync } = require("node:fs");
const { basename, dirname, join } = require("node:path");
const { lesson, startServer, unhurried } = require("./server.cjs");

/** Holds a file until a writer has the new one ready beside it, and a moment longer. */
async function heldForAMoment(file, isStaging, act) {
  const handle = openSync(file, "r");
  const acting = act();
  let isOver = false;
  const over = acting.then(() => {
    isOver = true;
  });
  const isStaged = () => readdirSync(dirname(file)).some((name) => isStaging.test(name));
  while (!isOver && !isStaged()) {
    await new Promise((next) => setImmediate(next));
  }
  const wasWaiting = !isOver;
  closeSync(handle);
  await over;
  return { wasWaiting, answer: await acting };
}

async function heldThroughout(file, act) {
  const handle = openSync(file, "r");
  const answer = await act();
  closeSync(handle);
  return answer;
}

function run(project, words, input = "") {
  const program = join(project, ".context/server/sentinel-memory.cjs");
  const child = spawn(process.execPath, [program, ...words], {
    cwd: project,
    env: unhurried(),
    stdio: "pipe",
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (piece) => {
      text += piece;
    });
  }
  child.stdin.end(input);
  return new Promise((done) => child.once("close", (status) => done({ status, text })));
}

async function holdMemory(project) {
  const memory = join(project, ".context/memory_log.jsonl");
  const server = await startServer(project);
  const log = (number) => server.call("log_memory", lesson(900, number));
  const moment = await heldForAMoment(memory, /\.staging-/, () => log(1));
  const long = await heldThroughout(memory, () => log(2));
  const found = await heldThroughout(memory, () => server.call("search_memory", { query: "rate" }));
  const after = await log(3);
  await server.end();
  return { moment, long, after, canSearch: !found.isError };
}

async function main([project, log]) {
  const start = (session_id) =>
    JSON.stringify({
      hook_event_name: "SessionStart",
      session_id,
      cwd: project,
      source: "startup",
    });
  await run(project, ["hook"], start("h1"));
  const state = join(project, ".context/.local/hook-state.json");
  const hook = await heldForAMoment(state, /^hook-state\.json\.\d+$/, () =>
    run(project, ["hook"], start("h2")),
  );
  const index = readdirSync(log, { recursive: true })
    .map((name) => join(log, name))
    .filter((path) => basename(path) === "manifest.json" && dirname(path) !== log);
  const search = [];
  for (const file of index.filter((path) => existsSync(path))) {
    search.push(await heldThroughout(file, () => run(project, ["sessions", "search", "타임아웃"])));
  }
  return { memory: await holdMemory(project), hook, search };
}

main(process.argv.slice(2)).then((told) => process.stdout.write(JSON.stringify(told)));
