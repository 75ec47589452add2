/** A server on standard input and output behind an address: each message that comes is a line, each answer the line with its id. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { json } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { BIN, type Project } from "../support/project.ts";

const METHOD_NOT_FOUND = -32601;

/** Its address, while the test runs. Errors have the status that the era of the request gives them over HTTP. */
export async function stdioOverHttp({ env, folder }: Project): Promise<string> {
  const server = spawn(process.execPath, [BIN], {
    env,
    cwd: folder,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const waiting = new Map<
    unknown,
    (answer: { readonly error?: { readonly code: number } }) => void
  >();
  createInterface({ input: server.stdout }).on("line", (line) => {
    const answer = JSON.parse(line);
    waiting.get(answer.id)?.(answer);
  });
  const bridge = createServer(async (request, response) => {
    if (request.method !== "POST") {
      return response.writeHead(405).end();
    }
    const message = Object(await json(request));
    server.stdin.write(`${JSON.stringify(message)}\n`);
    if (message.id === undefined) {
      return response.writeHead(202).end();
    }
    const answer = await new Promise<{ readonly error?: { readonly code: number } }>((resolve) =>
      waiting.set(message.id, resolve),
    );
    const failed = answer.error?.code === METHOD_NOT_FOUND ? 404 : 400;
    const status =
      answer.error && String(request.headers["mcp-protocol-version"] ?? "") >= "2026-07-28"
        ? failed
        : 200;
    return response
      .writeHead(status, { "content-type": "application/json" })
      .end(JSON.stringify(answer));
  });
  await once(bridge.listen(0, "127.0.0.1"), "listening");
  onTestFinished(async () => {
    bridge.close();
    bridge.closeAllConnections();
    server.stdin.end();
    await once(server, "close");
  });
  return `http://127.0.0.1:${(bridge.address() as AddressInfo).port}/mcp`;
}
