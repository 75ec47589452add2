/** The name that the port of a daemon's operator is reached by. */
import { hostname } from "node:os";
import { expect, it } from "vitest";
import { operatorOf } from "../support/daemon-process.ts";
import { postgresOfFile } from "../support/postgres.ts";

const postgres = postgresOfFile();

it("the operator's port is also asked by the name that it listens on", async () => {
  const operator = await operatorOf(postgres(), "acme");
  const { log } = await operator.serve("--admin-port", "0", "--admin-host", hostname());
  const [, url = ""] = /^Answering its operator on (\S+)$/.exec(log[0] ?? "") ?? [];
  expect(new URL(url).hostname).toBe(hostname());
  expect((await fetch(`${url}/live`)).status).toBe(200);
});
