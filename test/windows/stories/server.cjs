/** A server, started by the entry of .mcp.json as clients do, and lessons for it. */
const { spawn } = require("node:child_process");
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { createInterface } = require("node:readline");

/** The environment of a hook that may take as long as it needs: test/support/unhurried.cjs. */
exports.unhurried = () => {
  const preload = join(__dirname, "unhurried.cjs").replaceAll("\\", "/");
  return { ...process.env, NODE_OPTIONS: `--require ${preload}` };
};

exports.lesson = (writer, number) => ({
  topic: `주제 ${writer}`,
  missing_context: `Which rate applies to order ${writer}-${number}?`,
  lesson: `규칙 ${writer}-${number}: look up rate ${writer * 1000 + number} first`,
});

exports.startServer = async (project) => {
  const config = JSON.parse(readFileSync(join(project, ".mcp.json"), "utf8"));
  const { command, args } = config.mcpServers["sentinel-memory"];
  const child = spawn(command, args, { cwd: project, stdio: ["pipe", "pipe", "inherit"] });
  const waiting = new Map();
  const over = new Promise((done) => child.once("close", (code) => done(code)));
  const ended = { error: { message: "The server ended." } };
  let isOver = false;
  over.then(() => {
    isOver = true;
    for (const answer of waiting.values()) {
      answer(ended);
    }
  });
  child.stdin.on("error", () => undefined);
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });

  let last = 0;
  const send = (message) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const ask = (method, params) =>
    new Promise((answer) => {
      if (isOver) {
        return answer(ended);
      }
      last += 1;
      waiting.set(last, answer);
      send({ id: last, method, params });
    });
  const clientInfo = { name: "windows-story", version: "1" };
  await ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  send({ method: "notifications/initialized" });

  return {
    ask,
    /** @returns the text of a tool's answer, and whether it is an error. */
    call: async (name, given) => {
      const { result, error } = await ask("tools/call", { name, arguments: given });
      if (error) {
        return { text: error.message, isError: true };
      }
      return { text: result.content.map(({ text }) => text).join("\n"), isError: !!result.isError };
    },
    kill: () => child.kill("SIGKILL"),
    end: () => {
      child.stdin.end();
      return over;
    },
  };
};
