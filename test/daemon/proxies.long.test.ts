/** A daemon behind nginx and Caddy, set up as docs/daemon.md says: a real capture goes through, and where it cannot, a person hears why. */
import { beforeAll, expect, it } from "vitest";
import { type DaemonProcess, operatorOfFile } from "../support/daemon-process.ts";
import { testRepository } from "../support/in-test.ts";
import { postgresOfFile } from "../support/postgres.ts";
import { BIN } from "../support/project.ts";
import { type ProxyName, type ProxyProcess, startProxy } from "../support/proxy-process.ts";
import { keepTranscript, manifestOf } from "../support/recorded.ts";
import { runProcess } from "../support/run-process.ts";
import { Session } from "../support/transcript.ts";

const operator = operatorOfFile(postgresOfFile(), "acme");
let daemon: DaemonProcess;
beforeAll(async () => {
  daemon = await operator().serve();
});

/** What a person does in a repository of theirs. @param person who hasn't recorded anything yet. */
async function personAt(person: string) {
  const token = await operator().token(person);
  const project = await testRepository();
  let certificate = "";
  const run = (...args: readonly string[]) => {
    const env = { ...project.env, SENTINEL_TOKEN: token, NODE_EXTRA_CA_CERTS: certificate };
    return runProcess(process.execPath, [BIN, ...args], { cwd: project.folder, env });
  };
  const say = (...texts: readonly string[]) => {
    const session = new Session({ cwd: project.folder });
    for (const text of texts) {
      session.asks("Why do refunds fail?").says(text);
    }
    return keepTranscript(project, session);
  };
  const trust = (proxy: ProxyProcess) => {
    certificate = proxy.certificate;
    return proxy.url;
  };
  /** The session log is kept under another address from now on. */
  const moveTo = async (from: string, to: string) => {
    const path = await manifestOf(project);
    await project.write(path, (await project.read(path)).replace(from, to));
  };
  const events = async () =>
    JSON.parse((await run("sessions", "status", "--json")).stdout).events as number;
  return { run, say, trust, moveTo, events };
}

const CAPTURE = ["sessions", "capture", "--all", "--yes"] as const;

it.for<[ProxyName, string, (block: string) => string]>([
  ["nginx", "as the page sets it up", (block) => block],
  [
    "nginx",
    "with its own settings",
    (block) =>
      block.replace(/\n *(?:client_max_body_size|proxy_read_timeout|proxy_set_header).*/g, ""),
  ],
  ["caddy", "as the page sets it up", (block) => block],
])("%s %s lets a capture through, of more than one batch", async ([name, how, change]) => {
  const { run, say, trust, events } = await personAt(`${name} ${how}`);
  const proxy = await startProxy(name, daemon.url, change);
  const untrusted = await run("sessions", "on", "--url", proxy.url);
  expect(untrusted.stderr).toMatch(
    /does not trust the certificate of https:.*\(\w+\)[\s\S]*NODE_EXTRA_CA_CERTS/,
  );
  const url = trust(proxy);
  expect(await run("sessions", "on", "--url", url)).toMatchObject({ exit: 0, stderr: "" });
  const { stdout: doctor } = await run("doctor", "--json");
  expect(JSON.parse(doctor)).toContainEqual(
    expect.objectContaining({
      level: "ok",
      what: expect.stringContaining(`The daemon at ${url} takes`),
    }),
  );
  await say(
    ...Array.from(
      { length: 6 },
      (_, at) => `They round twice. ${at} ${"a long line of an answer ".repeat(16_000)}`,
    ),
  );
  expect(await run(...CAPTURE)).toMatchObject({ exit: 0 });
  expect(await events()).toBeGreaterThanOrEqual(12);
});

it("an event that is too large for a proxy waits until it takes it", async () => {
  const { run, say, trust, moveTo, events } = await personAt("ann");
  const [narrow, wide] = [
    await startProxy("nginx", daemon.url, (block) => block.replace("client_max_body_size 8m;", "")),
    await startProxy("nginx", daemon.url),
  ];
  expect(await run("sessions", "on", "--url", trust(narrow))).toMatchObject({ exit: 0 });
  await say("x ".repeat(800_000));
  const refused = await run(...CAPTURE);
  expect([refused.exit, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/refuses calls of this size/),
  ]);
  expect(refused.stderr).toContain("client_max_body_size 8m in nginx");
  await moveTo(narrow.url, wide.url);
  trust(wide);
  expect(await run(...CAPTURE)).toMatchObject({ exit: 0 });
  expect(await events()).toBeGreaterThanOrEqual(2);
});

it.each<ProxyName>(["nginx", "caddy"])("%s takes MCP, and names who asked", async (name) => {
  const proxy = await startProxy(name, daemon.url);
  const token = await operator().token(`agent at ${name}`);
  const known = daemon.log.length;
  const env = { NODE_EXTRA_CA_CERTS: proxy.certificate };
  const bundle = `const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
      const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
      const [url, token] = process.argv.slice(1);
      const client = new Client({ name: "test", version: "1.0.0" });
      const requestInit = { headers: { authorization: "Bearer " + token } };
      await client.connect(new StreamableHTTPClientTransport(new URL(url + "/mcp"), { requestInit }));
      await client.callTool({ name: "record_event", arguments: { kind: "message", content: { text: "They round twice." } } });
      const { content } = await client.callTool({ name: "build_acb", arguments: { query: "why do they round" } });
      console.log(content[0].text);
      await client.close();`;
  const args = ["--input-type=module", "--eval", bundle, proxy.url, token];
  const agent = await runProcess(process.execPath, args, { cwd: process.cwd(), env });
  expect(agent.stdout, agent.stderr).toContain("They round twice.");
  const lines = daemon.log.slice(known).map((line) => JSON.parse(line));
  const calls = lines.filter(({ call }) => call === "mcp");
  expect(calls.length).toBeGreaterThan(2);
  for (const { address, forwardedFor } of calls) {
    expect([address, forwardedFor]).toEqual(["127.0.0.1", "127.0.0.1"]);
  }
});
