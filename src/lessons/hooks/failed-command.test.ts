import { expect, it } from "vitest";
import { SECRET_TOKEN } from "../../../test/support/secret-token.ts";
import { NO_OWN_WORDS, ownWords } from "../../ground/redaction/own-words.ts";
import { triggerOf, workOn } from "../queries/matches-when.ts";
import { failedCommand, solvedText, withRun } from "./failed-command.ts";
import { newSession } from "./session-file.ts";

const failed = failedCommand("./ship.sh --now", "Exit code 1\nfatal: no ok file", NO_OWN_WORDS);
const session = { ...newSession(0), failed };

it("counts as solved once the same command runs again", () => {
  expect(solvedText(session)).toBe("");
  expect(withRun(session, "npm publish")).toBe(session);
  const solved = withRun(session, "cd app && ./ship.sh --later");
  expect(solvedText(solved)).toMatch(/^"\.\/ship\.sh" failed with "fatal: no ok file" and later/);
  expect(withRun(solved, "./ship.sh")).toBe(solved);
});

it("is said without an error that must not be stored", () => {
  const words = ownWords(["ok"], []);
  const kept = failedCommand("./ship.sh", "fatal: no ok file", words);
  expect(solvedText(withRun({ ...session, failed: kept }, "./ship.sh"))).toMatch(
    /^"\.\/ship\.sh" failed and later worked\./,
  );
});

const ERROR = "npm ERR! code E403\nnpm ERR! no permission to publish";

it.each([
  ["cd web && CI=1 npm run --silent deploy -- --prod", "npm run * deploy *"],
  ["pnpm --filter web deploy", "pnpm * deploy *"],
  ["pnpm --filter=web deploy now", "pnpm * deploy *"],
  ["sudo docker compose -f prod.yml up -d", "docker compose * up *"],
  ["git -C ../docs push origin main", "git * push *"],
])(
  "of %s the words that name what runs are %s, and bring their lesson again",
  (command, pattern) => {
    expect(failedCommand(command, ERROR, NO_OWN_WORDS)?.command).toBe(pattern);
    const work = workOn({ command, now: "2026-11-25" });
    expect(triggerOf({ commands: [pattern] }, work)).toBe("command");
  },
);

it("has no command that a text alone tells from others", () => {
  const { command } = failedCommand("node -e 'release all'", ERROR, NO_OWN_WORDS) ?? {};
  expect(command).toBeUndefined();
});

it.each([
  ["an open private passage", "error: <private>client Falke has cancer\nmore</private> end"],
  ["a line inside a private passage", "start <private>\nerror: Falke cannot pay\n</private>"],
  ["a secret across the limit", `error: ${"x ".repeat(42)}password: correcthorsebattery9`],
  ["an own word across the limit", `error: ${"x ".repeat(52)}Falkenhorst`],
])("has no beginning of %s", (_, output) => {
  const words = ownWords(["Falkenhorst"], []);
  expect(failedCommand("deploytool up", output, words)).toEqual({ command: "deploytool up" });
});

it("has no secret, no own word and no place of this machine", () => {
  const words = ownWords(["Bluebird"], []);
  const signature = (command: string, output: string) => failedCommand(command, output, words);
  expect(
    signature(`deploytool ${SECRET_TOKEN}`, "Error: cannot reach the Bluebird host"),
  ).toBeUndefined();
  expect(signature("deploytool up", `Error: cannot sign in with ${SECRET_TOKEN}`)).toEqual({
    command: "deploytool up",
  });
  expect(signature("deploytool up", "Error: no lock at /home/ann/shop/state-4711.lock")).toEqual({
    command: "deploytool up",
    error: "Error: no lock at",
  });
});
