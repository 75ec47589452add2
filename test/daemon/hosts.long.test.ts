/** The names that a daemon is reached by, as `daemon serve` is told them. */
import { hostname } from "node:os";
import { expect, it } from "vitest";
import { send } from "../support/daemon.ts";
import { operatorOf } from "../support/daemon-process.ts";
import { postgresOfFile } from "../support/postgres.ts";

const postgres = postgresOfFile();
const NAME = "memory.example.com";
const SECOND = "memory.internal";

it("a call under a name that --allow-host adds is answered, and one under another name is refused", async () => {
  const operator = await operatorOf(postgres(), "acme");
  const named = await operator.serve("--allow-host", NAME, "--allow-host", SECOND);
  const plain = await operator.serve();
  const token = await operator.token("ann");
  const accept = "application/json, text/event-stream";
  const headers = { authorization: `Bearer ${token}`, accept, "content-type": "application/json" };
  const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const places = [
    ["/v1/events/statistics", "{}"],
    ["/mcp", list],
  ] as const;
  for (const [path, body] of places) {
    const from = async (names: object, { url } = named) =>
      send(Number(new URL(url).port), path, { ...headers, ...names }, body);
    for (const host of [NAME, SECOND, "localhost", "127.0.0.1"])
      for (const origin of [undefined, `https://${NAME}`, `https://${SECOND}`, "http://localhost"])
        expect(
          (await from({ host, ...(origin && { origin }) })).status,
          `${path} ${host} ${origin}`,
        ).toBe(200);
    const others = [
      "example.com",
      `sub.${NAME}`,
      `${NAME}.evil.example`,
      `evil-${NAME}`,
      "evil.example",
    ];
    for (const host of others) {
      const { status, body } = await from({ host });
      expect([status, body], `${path} ${host}`).toEqual([
        403,
        {
          error: {
            code: "not_allowed",
            message: expect.any(String),
            fix: expect.stringContaining("--allow-host NAME"),
          },
        },
      ]);
    }
    for (const name of [...others, "null"]) {
      const origin = name === "null" ? name : `https://${name}`;
      expect((await from({ host: NAME, origin })).status, `${path} ${origin}`).toBe(403);
    }
    expect((await from({ host: NAME }, plain)).status, "a daemon that was not told the name").toBe(
      403,
    );
    expect((await from({ host: "localhost", origin: `https://${NAME}` }, plain)).status).toBe(403);
  }
});

it("the operator's port is also asked by the name that it listens on", async () => {
  const operator = await operatorOf(postgres(), "acme");
  const { log } = await operator.serve("--admin-port", "0", "--admin-host", hostname());
  const [, url = ""] = /^Answering its operator on (\S+)$/.exec(log[0] ?? "") ?? [];
  expect(new URL(url).hostname).toBe(hostname());
  expect((await fetch(`${url}/live`)).status).toBe(200);
});
