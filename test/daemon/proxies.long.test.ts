/** A daemon behind nginx and Caddy, set up as docs/daemon.md says: a real capture goes through, and where it cannot, a person hears why. */
import { expect, it } from "vitest";
import { operatorOf } from "../support/daemon-process.ts";
import { testRepository } from "../support/in-test.ts";
import { postgresOfFile } from "../support/postgres.ts";
import { BIN } from "../support/project.ts";
import { type ProxyName, type ProxyProcess, startProxy } from "../support/proxy-process.ts";
import { keepTranscript, manifestOf } from "../support/recorded.ts";
import { runProcess } from "../support/run-process.ts";
import { Session } from "../support/transcript.ts";

const postgres = postgresOfFile();

/** What ann does in a repository of hers. */
async function annAt() {
  const operator = await operatorOf(postgres(), "acme");
  const daemon = await operator.serve();
  const token = await operator.run("token", "create", "--tenant", "acme", "--person", "ann");
  const ann = await testRepository();
  let certificate = "";
  const run = (...args: readonly string[]) => {
    const env = { ...ann.env, SENTINEL_TOKEN: token, NODE_EXTRA_CA_CERTS: certificate };
    return runProcess(process.execPath, [BIN, ...args], { cwd: ann.folder, env });
  };
  const say = (...texts: readonly string[]) => {
    const session = new Session({ cwd: ann.folder });
    for (const text of texts) session.asks("Why do refunds fail?").says(text);
    return keepTranscript(ann, session);
  };
  const trust = (proxy: ProxyProcess) => {
    certificate = proxy.certificate;
    return proxy.url;
  };
  /** The session log is kept under another address from now on. */
  const moveTo = async (from: string, to: string) => {
    const path = await manifestOf(ann);
    await ann.write(path, (await ann.read(path)).replace(from, to));
  };
  const events = async () => JSON.parse((await run("record", "status", "--json")).stdout).events as number;
  return { daemon, run, say, trust, moveTo, events };
}

const CAPTURE = ["record", "capture", "--all", "--yes"] as const;

it.for<[ProxyName, string, (block: string) => string]>([
  ["nginx", "as the page sets it up", (block) => block],
  [
    "nginx",
    "with its own settings",
    (block) => block.replace(/\n *(?:client_max_body_size|proxy_read_timeout|proxy_set_header).*/g, ""),
  ],
  ["caddy", "as the page sets it up", (block) => block],
])("%s %s lets a capture through, of more than one batch", async ([name, , change]) => {
  const { daemon, run, say, trust, events } = await annAt();
  const proxy = await startProxy(name, daemon.url, change);
  const untrusted = await run("record", "on", "--url", proxy.url);
  expect(untrusted.stderr).toMatch(/does not trust the certificate of https:.*\(\w+\)[\s\S]*NODE_EXTRA_CA_CERTS/);
  const url = trust(proxy);
  expect(await run("record", "on", "--url", url)).toMatchObject({ exit: 0, stderr: "" });
  const { stdout: doctor } = await run("doctor", "--json");
  expect(JSON.parse(doctor)).toContainEqual({
    status: "ok",
    what: expect.stringContaining(`The daemon at ${url} takes`),
  });
  await say(
    ...Array.from({ length: 6 }, (_, at) => `They round twice. ${at} ${"a long line of an answer ".repeat(16_000)}`),
  );
  expect(await run(...CAPTURE)).toMatchObject({ exit: 0 });
  expect(await events()).toBeGreaterThanOrEqual(12);
});

it("a proxy that holds the lock back is named, with what to set there, wherever a person needs the lock", async () => {
  const { daemon, run, say, trust, moveTo } = await annAt();
  const deaf = await startProxy("nginx", daemon.url, (block) =>
    block.replace("proxy_pass", "proxy_ignore_headers X-Accel-Buffering;\n    proxy_pass"),
  );
  const why = /answers, but a proxy before it holds back/;
  const fix = /proxy_buffering off in nginx/;
  const refused = await run("record", "on", "--url", trust(deaf));
  expect([refused.exit, refused.stderr]).toEqual([1, expect.stringMatching(why)]);
  expect(refused.stderr).toMatch(fix);

  expect(await run("record", "on", "--url", daemon.url)).toMatchObject({ exit: 0 });
  await say("They round twice.");
  await moveTo(daemon.url, deaf.url);
  const captured = await run(...CAPTURE);
  expect([captured.exit, captured.stderr]).toEqual([1, expect.stringMatching(why)]);
  expect(captured.stderr).toMatch(fix);
  const { stdout } = await run("doctor", "--json");
  expect(JSON.parse(stdout)).toContainEqual({
    status: "warning",
    what: expect.stringMatching(why),
    fix: expect.stringMatching(fix),
  });
  await moveTo(deaf.url, daemon.url);
  expect(await run(...CAPTURE)).toMatchObject({ exit: 0 });
});

it("an event that is too large for a proxy waits until it takes it", async () => {
  const { daemon, run, say, trust, moveTo, events } = await annAt();
  const [narrow, wide] = [
    await startProxy("nginx", daemon.url, (block) => block.replace("client_max_body_size 8m;", "")),
    await startProxy("nginx", daemon.url),
  ];
  expect(await run("record", "on", "--url", trust(narrow))).toMatchObject({ exit: 0 });
  await say("x ".repeat(800_000));
  const refused = await run(...CAPTURE);
  expect([refused.exit, refused.stderr]).toEqual([1, expect.stringMatching(/takes no call of this size/)]);
  expect(refused.stderr).toContain("client_max_body_size 8m in nginx");
  await moveTo(narrow.url, wide.url);
  trust(wide);
  expect(await run(...CAPTURE)).toMatchObject({ exit: 0 });
  expect(await events()).toBeGreaterThanOrEqual(2);
});
