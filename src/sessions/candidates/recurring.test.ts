import { expect, it } from "vitest";
import { type Made, made, result } from "../../../test/support/made-events.ts";
import type { Event } from "../kinds/event.ts";
import { withoutFolders } from "./failure.ts";
import { recurringFailures } from "./recurring.ts";

const failed = (session: string, command: string, output: string, more = {}): Made => ({
  ...result({ tool: "Bash", command, outcome: "failed", excerpt_text: output, ...more }),
  session,
});
const worked = (session: string, command: string, output = ""): Made => ({
  ...result({ tool: "Bash", command, excerpt_text: output }),
  session,
});

async function* stored(events: readonly Event[]) {
  yield* events;
}
const candidates = (...events: readonly Made[]) => recurringFailures(stored(made(...events)));

const NO_BUN = "Exit code 2\nerror: unrecognized subcommand 'bun'\n\nUsage: rtk [OPTIONS]";

it("words that worked in another session are no trigger, and those that worked behind a pipe did not", async () => {
  const refused = (session: string) =>
    failed(session, "git -C /p status", "error: unexpected argument '-C' found");
  const [elsewhere] = await candidates(refused("a"), refused("b"), worked("c", "git -C /q log"));
  expect(elsewhere?.when).toEqual({
    commands: ["git"],
    all: true,
    errors: ["error: unexpected argument '-C' found"],
  });
  const piped = worked("c", "git -C /q log | head", "error: unexpected argument '-C' found");
  const [hidden] = await candidates(refused("a"), refused("b"), piped);
  expect(hidden?.when.commands).toEqual(["git -C"]);
});

it("three sessions are enough where the calls differ, and a path or a number makes no other failure", async () => {
  const refused = (session: string, port: number) =>
    failed(session, `node /p/${session}/start.js`, `Error: connect ECONNREFUSED 127.0.0.1:${port}`);
  expect(await candidates(refused("a", 5432), refused("b", 5433))).toEqual([]);
  const [candidate] = await candidates(refused("a", 5432), refused("b", 5433), refused("c", 5434));
  expect(candidate).toMatchObject({
    sessions: 3,
    when: { commands: ["node"], all: true, errors: ["Error: connect ECONNREFUSED"] },
  });
});

it("a program that became a task of another is the same", async () => {
  const gone = (session: string) =>
    failed(session, "docker-compose up -d", "bash: docker-compose: command not found");
  const [candidate] = await candidates(
    gone("a"),
    gone("b"),
    worked("b", "docker compose up -d"),
    gone("c"),
  );
  expect(candidate).toMatchObject({
    worked: "docker compose up -d",
    when: { commands: ["docker-compose"] },
  });
});

it("words by which git only reports a finding are a failure of other programs", async () => {
  const denied = (program: string) => (session: string) =>
    failed(
      session,
      `${program} apply x`,
      "Error: Unauthorized: the context has no cluster, log in first",
    );
  const [terraform, git] = [denied("terraform"), denied("git")];
  expect(await candidates(terraform("a"), terraform("b"), terraform("c"))).toMatchObject([
    { what: "terraform apply" },
  ]);
  expect(await candidates(git("a"), git("b"), git("c"))).toEqual([]);
});

it("one session that fails again and again is none", async () => {
  expect(await candidates(...Array(5).fill(failed("a", "rtk bun run test", NO_BUN)))).toEqual([]);
});

it.each<[string, Made]>([
  ["a test that fails", failed("", "npm test", "FAIL src/a.test.ts\nError: expected 1 to be 2")],
  ["a type error", failed("", "node build.js", "error TS2345: Argument of type 'x'")],
  ["a test by another name", failed("", "npx tsx --test a.ts", "error: one test failed")],
  [
    "a module that is not there",
    failed("", "node zz.js", "Error: Cannot find module '/p/q/zz.js'"),
  ],
  ["a merge", failed("", "git merge main", "error: Merge conflict in a.ts")],
  ["a file that is not there", failed("", "cat a.txt", "cat: a.txt: No such file or directory")],
  [
    "an edit that does not match",
    failed("", "", "String to replace not found in file.", { path: "/p/a.ts" }),
  ],
  ["what the person refused", failed("", "rm -rf x", NO_BUN, { outcome: "refused_by_user" })],
])("%s teaches nothing, however often it comes back", async (_, event) => {
  expect(
    await candidates(...["a", "b", "c", "d"].map((session) => ({ ...event, session }))),
  ).toEqual([]);
});

it("a tool that runs no command is a candidate too", async () => {
  const unknown = { tool: "Skill", outcome: "not_found", excerpt_text: "Unknown skill: commit" };
  const events = ["a", "b", "c"].map((session) => ({ ...result(unknown), session }));
  expect(await candidates(...events)).toMatchObject([
    { what: "Skill", when: { errors: ["Unknown skill: commit"] } },
  ]);
});

it("a program that is called by its place is named by its name", async () => {
  const refused = (session: string) => failed(session, "/home/you/bin/rtk bun run test", NO_BUN);
  const [candidate] = await candidates(refused("a"), refused("b"));
  expect(candidate?.when.commands).toEqual(["rtk bun"]);
});

it.each([
  ["오류: 저장소 잠금을 얻을 권한이 없습니다"],
  ["错误：没有权限打开数据库锁"],
  ["エラー: データベースのロックを取得できません"],
  ["Fehler: Sperre der Datenbank verweigert"],
])("a program that speaks another language is understood: %s", async (line) => {
  const events = ["a", "b", "c"].map((session) => failed(session, "deployer up", `시작\n${line}`));
  expect(await candidates(...events)).toMatchObject([
    { when: { commands: ["deployer"], all: true } },
  ]);
});

it("a secret that was redacted is no part of a trigger", async () => {
  const refused = (session: string) =>
    failed(session, "mysql -p[REDACTED] db", "error: unknown option '-p[REDACTED]'");
  const [candidate] = await candidates(refused("a"), refused("b"), refused("c"));
  expect(candidate?.when.commands).toEqual(["mysql"]);
});

it("a place of this machine is in nothing that would be kept", async () => {
  const refused = (session: string) =>
    failed(session, "git -C /home/you/shop add .", "error: unexpected argument '-C' found");
  const [candidate] = await candidates(
    refused("a"),
    worked("a", "cd /home/you/shop && git add /home/you/shop/a"),
    refused("b"),
  );
  expect({ what: candidate?.what, worked: candidate?.worked }).toEqual({
    what: "git -C",
    worked: undefined,
  });
  const [plain] = await candidates(
    refused("a"),
    worked("a", "cd /home/you/shop && git add ."),
    refused("b"),
  );
  expect(plain?.worked).toBe("git add .");
});

it.each([
  ["Error: failed to open /home/you/.fly/config.yml", "Error: failed to open …/config.yml"],
  ["path D:\\work\\x.cfg is locked", "path …/x.cfg is locked"],
  ["~/.ssh/id is refused; see docs/ssh.md", "…/id is refused; see docs/ssh.md"],
])("a line loses the folders of this machine: %s", (line, expected) => {
  expect(withoutFolders(line)).toBe(expected);
});

it("an npm failure of three sessions is a candidate by its code, whichever the package", async () => {
  const refused = (session: string, name: string) =>
    failed(
      session,
      "npm publish",
      `npm error code E403\nnpm error 403 403 Forbidden - PUT https://registry/${name}`,
    );
  const [candidate, ...others] = await candidates(
    refused("a", "x"),
    refused("b", "y"),
    refused("c", "z"),
  );
  expect(others).toEqual([]);
  expect(candidate).toMatchObject({
    sessions: 3,
    what: "npm publish",
    when: { commands: ["npm"], all: true, errors: ["npm error code E403"] },
  });
});
