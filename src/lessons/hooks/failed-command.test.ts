import { expect, it } from "vitest";
import { NO_OWN_WORDS, ownWords } from "../../ground/redaction/own-words.ts";
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
