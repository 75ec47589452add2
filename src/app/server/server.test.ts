/** That the SDK's server answers every message: with it broken, nothing is answered. */
import { PassThrough } from "node:stream";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { Protocol } from "@modelcontextprotocol/sdk/shared/protocol.js";
import { afterEach, expect, it, vi } from "vitest";
import { greeting, toInput } from "../../../test/support/exchange.ts";
import { createServer } from "./server.ts";
import { serveStdio } from "./stdio.ts";

const SEARCH = { name: "search_memory", arguments: { query: "payment" } };
const ASKED = [
  ...greeting("test"),
  { id: 1, method: "ping" },
  { id: 2, method: "tools/list" },
  { id: 3, method: "tools/call", params: SEARCH },
  { id: 4, method: "prompts/list" },
  { id: 5, method: "prompts/get", params: { name: "recall" } },
];

const nowhere = () => {
  throw new Error("there is no project");
};

interface Answered {
  readonly id: number | null;
  readonly result?: object;
  readonly error?: { readonly code: number };
}

/** The answers of a server without a project. */
async function answers(): Promise<Answered[]> {
  const server = createServer(nowhere, { env: {}, cwd: "/" });
  const input = new PassThrough();
  const output = new PassThrough();
  const served = serveStdio(server, input, output, new AbortController().signal);
  input.end(toInput(ASKED));
  await served;
  const lines = String(output.read() ?? "").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

afterEach(() => {
  vi.restoreAllMocks();
});

it("answers all of these", async () => {
  const answered = await answers();
  expect(answered).toHaveLength(6);
  for (const answer of answered) {
    expect(answer).toHaveProperty("result");
  }
});

it("finds no method where the SDK takes no handlers", async () => {
  vi.spyOn(Protocol.prototype, "setRequestHandler").mockReturnValue();
  vi.spyOn(Server.prototype, "setRequestHandler").mockReturnValue();
  const answered = await answers();
  expect(answered.map(({ error }) => error?.code)).toEqual(Array(6).fill(-32601));
});

it("answers nothing where the SDK's server cannot be connected", async () => {
  vi.spyOn(Server.prototype, "connect").mockRejectedValue(new Error("broken"));
  await expect(answers()).rejects.toThrow("broken");
});
