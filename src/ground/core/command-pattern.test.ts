import { describe, expect, it } from "vitest";
import { commandMatcher, commandTexts } from "./command-pattern.ts";

const matches = (pattern: string, line: string) => commandTexts(line).some(commandMatcher(pattern));

describe("a command", () => {
  it.each([
    ["npm publish", "npm publish", true],
    ["npm publish", "npm publish --tag x", true],
    ["npm publish", "npm publisher", false],
    ["npm publish", "npm -w a publish", false],
    ["npm publish", "pnpm publish", false],
    ["npm run *", "npm run test", true],
    ["npm run *", "npm run", true],
    ["npm run *", "npm runner", false],
    ["npm run:*", "npm run test", true],
    ["npm run test*", "npm run test:unit", true],
    ["rtk bun*", "rtk bun run x", true],
    ["git push *--force*", "git push origin main --force-with-lease", true],
    ["git push *--force*", "git push --force", true],
    ["git push *--force*", "git push origin", false],
    ["git * main", "git push origin main", true],
    ["git * main", "git push origin main --tags", false],
    ["*", "ls", true],
    ["npm  publish ", "npm   publish", true],
    ["a*b*a", "aba", true],
    ["a*ba", "aba", true],
    ["ab*ba", "aba", false],
    [" ", "ls", false],
  ])("%j on %j: %s", (pattern, line, expected) => {
    expect(matches(pattern, line)).toBe(expected);
  });

  it.each([
    "sudo npm publish",
    "CI=1 sudo -u bob env -u X A=b npm publish",
    "time nohup nice -n 3 timeout -k 1 5 npm publish",
    "echo a | xargs -I {} npm publish {}",
    "if ! npm publish; then ls; fi",
    "while true; do npm publish; done",
    "exec -a x command npm publish",
    "/usr/local/bin/npm publish",
    "npm.cmd publish",
    "'C:\\Program Files\\nodejs\\npm.CMD' publish",
    "sudo.exe npm.cmd publish",
    'bash -lc "cd x && npm publish"',
    "sudo sh -e -c 'npm publish'",
    "(cd x && npm publish)",
    "x=$(npm publish)",
  ])("is found in %j", (line) => {
    expect(matches("npm publish", line)).toBe(true);
  });

  it.each([
    'echo "npm publish"',
    "git commit -m 'npm publish'",
    "ls # npm publish",
    "cat <<EOF\nnpm publish\nEOF",
    "grep -r 'npm publish' .",
    "command -v npm publish",
    "bash -c 'echo \"npm publish\"'",
    "bash -c 'bash -c \"npm publish\"'",
    "steps=(npm publish)",
  ])("that is only mentioned is not: %j", (line) => {
    expect(matches("npm publish", line)).toBe(false);
  });

  it("is found with what starts it, and by its path", () => {
    expect(matches("sudo *", "sudo npm publish")).toBe(true);
    expect(matches("./gradlew build", "./gradlew build")).toBe(true);
    expect(matches("./gradlew", "/opt/gradlew build")).toBe(false);
    expect(matches("* x y", "cp 'x y'")).toBe(false);
  });

  it("of any number of words that start another takes no more than its length", () => {
    const texts = commandTexts("sudo ".repeat(20_000));
    expect(texts.join("").length).toBeLessThanOrEqual(5 * 100_000);
  });
});
