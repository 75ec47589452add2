/** Finding what was said and done in recorded sessions, as a person does. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { testProject } from "../support/in-test.ts";
import { Project } from "../support/project.ts";
import { keepTranscript, recordFromTheStart } from "../support/recorded.ts";
import { recordedRepository } from "../support/recorded-repository.ts";
import { withServer } from "../support/server.ts";
import { Session } from "../support/transcript.ts";

/** What a terminal would obey: a colour, a title, a bell, a return, a change of direction. */
const CONTROLS = "\u001b[31mred\u001b]0;title\u0007\u0008\r\u009b1m\u202egnp.exe";

let shop: Project;
let session: Session;
beforeAll(async () => {
  shop = await Project.repository();
  await recordFromTheStart(shop);
  session = new Session({ cwd: shop.folder, at: Date.parse("2026-11-20T09:30:00Z") })
    .asks("Why is the invoice for books wrong?")
    .uses("Bash", { command: "npm test" }, `the rounding of reduced_rate failed ${CONTROLS}`, {
      error: true,
    })
    .says("The rate is applied twice")
    .asks("부가세 환불 흐름을 고쳐 줘");
  await keepTranscript(shop, session);
  await shop.run("sessions", "capture");
});
afterAll(() => shop.remove());

it("finds it by its words, with what was said before and after, and ids that show takes", async () => {
  const { stdout, stderr, exit } = await shop.run(
    "sessions",
    "search",
    "reducedRate rounding",
    "--limit",
    "1",
  );
  expect([exit, stderr]).toEqual([0, ""]);
  const [head = "", ...rest] = stdout.trimEnd().split("\n");
  expect(head).toMatch(/^evt_\w{26} {2}2026-11-20 09:30 {2}claude-code {2}failed: Bash {2}5e5510/);
  expect(head).toContain(session.id);
  expect(rest[0]).toBe("  before, call Bash: npm test");
  expect(rest[1]).toContain("the rounding of reduced_rate failed");
  expect(rest.at(-1)).toBe("  after, agent: The rate is applied twice");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  const id = head.slice(0, 30);
  expect((await shop.run("sessions", "show", id)).stdout).toContain(id);
  const { hits } = (await shop.json("sessions", "search", "환불 흐름")) as {
    hits: { id: string; text: string }[];
  };
  expect(hits[0]?.text).toBe("부가세 환불 흐름을 고쳐 줘");
  expect((await shop.run("sessions", "show", hits[0]?.id ?? "")).stdout).toContain("부가세 환불");
});

it("says that nothing matches, and how to turn recording on where nothing is recorded", async () => {
  const none = await shop.run("sessions", "search", "kangaroo");
  expect([none.exit, none.stdout]).toEqual([0, ""]);
  expect(none.stderr).toMatch(/^Nothing matches in \d recorded parts\.\n$/);
  for (const blank of ["", "  "]) {
    const { stdout, stderr, exit } = await shop.run("sessions", "search", blank);
    expect([exit, stdout, stderr]).toEqual([1, "", expect.stringContaining("bad_argument")]);
  }
  const fresh = await (await testProject()).run("sessions", "search", "door");
  expect(fresh.exit).not.toBe(0);
  expect(fresh.stderr).toContain(" sessions on");
});

it("goes on finding while recording is off, and status says what is indexed", async () => {
  expect(await shop.json("sessions", "status")).toMatchObject({
    indexed: { chunks: 5, missingBytes: 0 },
  });
  expect((await shop.run("sessions", "status")).stdout).toMatch(
    /search +5 parts indexed, all of it; the index takes 0\.\d MB/,
  );
  await shop.run("sessions", "off");
  expect((await shop.run("sessions", "search", "invoice")).stdout).toContain(
    "Why is the invoice for books wrong?",
  );
  await shop.run("sessions", "on");
});

it("gives an event once, however many of its parts match, and of its neighbours only what they are", async () => {
  const shop = await recordedRepository();
  const log = Array.from(
    { length: 1_500 },
    (_, line) => `sqlite migration error in step ${line * 7_919}`,
  ).join("\n");
  const session = new Session({ cwd: shop.folder })
    .asks(`Run the step. ${"Slowly, and look at it. ".repeat(40)}`)
    .says(log)
    .uses("Bash", { command: "grep 'sqlite migration error' log" }, "one sqlite migration error");
  await keepTranscript(shop, session);
  await shop.run("sessions", "capture");
  type Hit = { event: { id: string }; before?: object; after?: object };
  const { hits } = (await shop.json(
    "sessions",
    "search",
    "sqlite migration error",
    "--limit",
    "3",
  )) as {
    hits: Hit[];
  };
  expect(hits).toHaveLength(3);
  expect(new Set(hits.map(({ event }) => event.id)).size).toBe(3);
  const beside = hits
    .flatMap(({ before, after }) => [before, after])
    .filter((one) => one !== undefined);
  const short = {
    id: expect.stringMatching(/^evt_/),
    kind: expect.any(String),
    text: expect.any(String),
  };
  expect(beside).toEqual(beside.map(() => short));
  expect(beside).toContainEqual(
    expect.objectContaining({ text: expect.stringMatching(/^Run the step\. .{0,100}…$/) }),
  );
});

it("looks at one session, branch, agent, kind or time alone, also where others match better", async () => {
  const other = new Session({
    id: "5e551012-0000-4000-8000-000000000002",
    cwd: shop.folder,
    at: Date.now() - 60_000,
  });
  other
    .goTo(shop.folder, "vat")
    .asks("books books invoice")
    .says("The invoice for books is right now");
  for (let at = 0; at < 30; at++) {
    other.says(`invoice books ${at}`);
  }
  await keepTranscript(shop, other);
  await shop.run("sessions", "capture");
  const search = (words: string) => shop.run("sessions", "search", ...words.split(" "));
  const found = async (options = "") => {
    const { stdout } = await search(`invoice books --limit 40 --json ${options}`.trim());
    const { hits } = JSON.parse(stdout) as { hits: { event: { session: string } }[] };
    return hits.map(({ event }) => event.session);
  };
  const asked = "Why is the invoice for books wrong?";
  expect(await found()).toContain(session.id);
  const best = "invoice books --limit 1";
  expect((await search(best)).stdout).not.toContain(asked);
  const narrowed = `--session ${session.id.slice(0, 8)} --branch main --agent claude-code --kind message`;
  expect((await search(`${best} ${narrowed}`)).stdout).toContain(asked);
  for (const one of ["--branch vat", "--since 1h"]) {
    expect(new Set(await found(one)), one).toEqual(new Set([other.id]));
  }
  for (const none of ["--branch v", "--agent codex", "--kind decision", "--session banana"]) {
    expect(await found(none), none).toEqual([]);
  }
  const messages = `--kind message --session ${session.id}`;
  const newest = await search(`${messages} --limit 2`);
  expect(newest.stdout).toMatch(/부가세 환불 흐름을 고쳐 줘[\s\S]*The rate is applied twice/);
  expect(newest.stdout).not.toContain(asked);
  expect(newest.stderr).toBe("There is more: give a higher --limit.\n");
  expect((await search(messages)).stderr).toBe("");
  // It says whether the words or the options are to blame.
  const noneOfThat = "No recorded event has that session, branch, agent, kind and time.";
  for (const none of ["--kind summary", "invoice --session banana"]) {
    expect(await search(none)).toMatchObject({
      exit: 0,
      stdout: "",
      stderr: expect.stringContaining(noneOfThat),
    });
  }
  expect((await search(`zebra --session ${session.id}`)).stderr).toContain("Nothing matches in");
  expect((await search("books --kind rule")).stderr).toContain("Allowed choices are");
  expect((await search("books --since soon")).stderr).toContain("neither an age nor a date");
});

it("says of what an agent quotes that these are the person's words", async () => {
  await withServer(shop.server("claude-code"), async (server) => {
    const content = { text: "Never deploy on Fridays" };
    await server.ask("record_event", {
      kind: "message",
      actor: "human",
      content,
      session: session.id,
    });
    const said = { text: "Deployed on a Friday all the same" };
    await server.ask("record_event", { kind: "message", content: said, session: session.id });
  });
  const { stdout } = await shop.run("sessions", "search", "deploy Fridays");
  expect(stdout).toMatch(
    /claude-code {2}user, as the agent quotes {2}\S+\n {2}before, .*\n {2}Never deploy/,
  );
  expect(stdout).toMatch(
    /claude-code {2}agent {2}\S+\n {2}before, user, as the agent quotes: Never deploy/,
  );
});
