/** hooks.cjs PROJECT SESSIONS: the start of many sessions at once, and payloads as Windows' clients write them. */
const { spawn } = require("node:child_process");
const { join } = require("node:path");
const { unhurried } = require("./server.cjs");

function hook(project, payload, before = "") {
  const program = join(project, ".context/server/sentinel-memory.cjs");
  const child = spawn(process.execPath, [program, "hook"], {
    cwd: project,
    env: unhurried(),
    stdio: ["pipe", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (piece) => {
    text += piece;
  });
  child.stdin.end(`${before}${JSON.stringify(payload)}\r\n`);
  return new Promise((done) => child.once("close", () => done(text)));
}

async function main([project, sessions]) {
  const start = { hook_event_name: "SessionStart", source: "startup" };
  const slashed = project.replaceAll("\\", "/");
  const spelled = [];
  for (const cwd of [slashed, project.toLowerCase()]) {
    spelled.push(await hook(project, { ...start, session_id: cwd, cwd }));
  }
  const atOnce = await Promise.all(
    Array.from({ length: Number(sessions) }, (_, number) =>
      hook(project, { ...start, session_id: `s${number}`, cwd: project }),
    ),
  );
  const marked = await hook(project, { ...start, session_id: "bom", cwd: project }, "\ufeff");
  const cursor = await hook(project, {
    hook_event_name: "sessionStart",
    conversation_id: "c1",
    cursor_version: "3.11",
    workspace_roots: [`/${slashed.replace(/^C:/, "c:")}`],
  });
  const elsewhere = await hook(project, { ...start, session_id: "z", cwd: "Z:\\" });
  return { spelled, atOnce, marked, cursor, elsewhere };
}

main(process.argv.slice(2)).then((told) => process.stdout.write(JSON.stringify(told)));
