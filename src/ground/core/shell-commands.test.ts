import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commandMatcher, commandTexts, simpleCommands } from "./shell-commands.ts";

describe("a shell line", () => {
  it.each<[string, string[]]>([
    ["cd app && npm publish --tag x", ["cd app", "npm publish --tag x"]],
    ["a; b | c |& d & e\nf || g", ["a", "b", "c", "d", "e", "f", "g"]],
    ["\"npm\" pub'lish' \\-x $'y'", ["npm publish -x y"]],
    ["npm \\\n  publish", ["npm publish"]],
    ['grep "a\\|b\\"c" d\\|e', ['grep a\\|b"c d|e']],
    ["echo 'npm publish; x' \"a && b\"", ["echo npm publish; x a && b"]],
    ["ls # npm publish\nls a#b", ["ls", "ls a#b"]],
    ["cat <<EOF > out\nnpm publish\nEOF\nls", ["cat", "ls"]],
    ["cat <<-'E F' && x\n\tnpm publish\n\tE F\nls", ["cat", "x", "ls"]],
    ["cat <<< 'npm publish'; ls", ["cat", "ls"]],
    ["cat <<EOF\nnpm publish", ["cat"]],
    ["npm publish>log 2>&1 </dev/null &>x &>>y", ["npm publish"]],
    ["x > npm publish", ["x publish"]],
    ["echo $(npm publish) `git push`", ["npm publish", "git push", "echo $ $"]],
    ['echo "a $(npm "x y") b"', ["npm x y", "echo a $ b"]],
    ["(cd x; ls) && { rm y; }", ["cd x", "ls", "rm y", "}"]],
    ["diff <(npm ls) >(cat)", ["npm ls", "cat", "diff $ $"]],
    ["a=(npm publish) b", ["a=$ b"]],
    ["f() { npm publish; }", ["f$", "npm publish", "}"]],
    ["case $x in npm) ls;; esac", ["ls", "esac"]],
    ["echo ${x:-npm; publish} $((1 << 2)); ((i << 3))\nls", ["echo $ $", "$", "ls"]],
    ["echo \"$(cat <<'E'\nnpm publish)\nE\n)\"; ls", ["cat", "echo $", "ls"]],
    ['echo "npm publish', ["echo npm publish"]],
    ["echo 'npm publish", ["echo npm publish"]],
    ["", []],
    [") } ] ;; & |", ["} ]"]],
  ])("%j has the commands %j", (line, commands) => {
    expect(simpleCommands(line).map((words) => words.join(" "))).toEqual(commands);
  });

  it("is read whatever it holds, and has no more text than the line", () => {
    const marks = [
      "$(",
      "${",
      "`",
      '"',
      "'",
      "\\",
      "(",
      ")",
      "}",
      "{ ",
      ";",
      "&",
      "|",
      "\n",
      "<<E\n",
      "E\n",
      "<<-",
      "#",
      "$'",
      "((",
      ">",
    ];
    const parts = fc.array(fc.constantFrom(...marks, " ", "a", "npm publish", "x=", "1"), {
      maxLength: 300,
    });
    fc.assert(
      fc.property(parts, (each) => {
        const line = each.join("");
        const commands = simpleCommands(line);
        expect(commands.flat().join("").length).toBeLessThanOrEqual(line.length);
      }),
    );
  });

  it.each(["$(", "`", "(", '"$(', "<<E\n", "a=(", "x;", "${", "'", "sudo "])(
    "of 100 KB of %j has no more text than the line",
    (part) => {
      const line = part.repeat(100_000 / part.length);
      expect(simpleCommands(line).flat().join("").length).toBeLessThanOrEqual(line.length);
    },
  );
});

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
