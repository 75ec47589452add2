/** The official inspector over HTTP with a token, which needs none of the agents. */
import { createRequire } from "node:module";
import { expect, it } from "vitest";
import { remoteEventStore } from "../../src/sessions/remote/store.ts";
import { eventRedactor } from "../../src/sessions/storing/redactor.ts";
import { message } from "../contracts/event-store.ts";
import { operatorOf } from "../support/daemon-process.ts";
import { testProject } from "../support/in-test.ts";
import { postgresOfFile } from "../support/postgres.ts";
import { runProcess } from "../support/run-process.ts";

const postgres = postgresOfFile();
const INSPECTOR = createRequire(import.meta.url).resolve("@modelcontextprotocol/inspector-cli");
const RECORDED = "Norway rounds VAT to whole kroner.";

it("the inspector lists and calls the tools with a token, and is refused without", async () => {
  const operator = await operatorOf(postgres(), "acme");
  const { url } = await operator.serve();
  const token = await operator.token("ann");
  await remoteEventStore({ url, token, redactor: eventRedactor() }).append([message(RECORDED)]);
  // It looks for its own description, before it starts, by a path that it takes from the working directory.
  const project = await testProject({ files: { "../package.json": "{}" } });
  const inspect = (header: string, ...args: readonly string[]) => {
    const to = ["--cli", `${url}/mcp`, "--transport", "http", "--header", header, ...args];
    return runProcess(process.execPath, [INSPECTOR, ...to], project.place());
  };
  const bearer = `Authorization: Bearer ${token}`;
  const { stdout } = await inspect(bearer, "--method", "tools/list");
  const names = JSON.parse(stdout).tools.map(({ name }: { name: string }) => name);
  expect(names).toEqual(["build_acb", "record_event", "query_decisions", "get_artifact"]);
  const call = async (...args: readonly string[]) => {
    const { exit, stdout } = await inspect(bearer, "--method", "tools/call", ...args);
    const { content, isError = false } = JSON.parse(stdout);
    return { exit, isError, text: content[0].text };
  };
  const asked = await call(
    "--tool-name",
    "build_acb",
    "--tool-arg",
    "query=how does Norway round VAT",
  );
  expect(asked).toEqual({ exit: 0, isError: false, text: expect.stringContaining(RECORDED) });
  const missing = await call("--tool-name", "get_artifact", "--tool-arg", "ref=evt_00000000");
  expect(missing).toMatchObject({
    isError: true,
    text: expect.stringContaining("error not_found"),
  });
  expect(await inspect("X-Nothing: here", "--method", "tools/list")).not.toMatchObject({ exit: 0 });
});
