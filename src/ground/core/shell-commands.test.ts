import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { simpleCommands } from "./shell-commands.ts";

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

  it("is read whatever it holds, in at most a step for each character", () => {
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
        let steps = 0;
        const commands = simpleCommands(line, () => steps++);
        expect(steps).toBeLessThanOrEqual(line.length);
        expect(commands.flat().join("").length).toBeLessThanOrEqual(line.length);
      }),
    );
  });

  it.each(["$(", "`", "(", '"$(', "<<E\n", "a=(", "x;", "${", "'", "sudo "])(
    "of 100 KB of %j is read in one pass",
    (part) => {
      let steps = 0;
      const line = part.repeat(100_000 / part.length);
      simpleCommands(line, () => steps++);
      expect(steps).toBeLessThanOrEqual(line.length);
    },
  );
});
