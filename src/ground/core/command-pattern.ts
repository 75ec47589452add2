/** Matches patterns with the commands that a shell line runs. */
import { simpleCommands } from "./shell-commands.ts";

/** Words that may precede a command. */
const BEFORE =
  /^(?:if|then|elif|else|do|while|until|coproc|fi|done|esac|!|\{|\}|\w+(?:\[[^\]]*\])?\+?=.*)$/s;
/** Programs that start another command, each with its options that take a value. */
const STARTERS: Readonly<Record<string, string>> = {
  sudo: "-u -g -h -p -C -D -R -T -U",
  doas: "-u -C",
  env: "-u -C",
  time: "-f -o",
  nohup: "",
  setsid: "",
  command: "",
  builtin: "",
  exec: "-a",
  nice: "-n",
  timeout: "-s -k",
  xargs: "-I -n -P -L -d -a -E -s",
};
/** The longest chain of such programs to follow, because each adds another command to match. */
const MOST_STARTERS = 5;
const SHELL = /^(?:ba|da|k|z)?sh$/;
/** Replaces a space within a quoted word, so that a pattern's spaces only match between words. */
const INNER_BLANK = "\u00a0";

/** Returns every command in a line as text for `commandMatcher`, each ending in a space. Includes those in `sh -c`, both with and without `sudo`, and removes paths from program names. */
export function commandTexts(line: string): string[] {
  const outer = simpleCommands(line).flatMap(started);
  const scripts = outer.flatMap((words) => scriptOf(words) ?? []);
  const inner = scripts.flatMap((script) => simpleCommands(script).flatMap(started));
  return [...new Set([...outer, ...inner].flatMap(textsOf))];
}

/** Returns the words of each command in a line, without prefixes such as variables, `sudo` or `timeout 60`. */
export const startedCommands = (line: string): (readonly string[])[] =>
  simpleCommands(line).map((words) => started(words).at(-1) ?? []);

/** Returns a test for a pattern. A plain pattern matches the start of a command. With `*`, which stands for any text, it must match the whole command. A final ` *` also matches no arguments. */
export function commandMatcher(pattern: string): (text: string) => boolean {
  const plain = pattern.trim().replaceAll(/\s+/g, " ").replace(/:\*$/, " *");
  if (plain === "") return () => false;
  const whole = plain.includes("*") ? `${plain}${plain.endsWith("*") ? "" : " "}` : `${plain} *`;
  const [first = "", ...parts] = whole.split("*");
  const last = parts.pop() ?? "";
  return (text) => {
    if (!text.startsWith(first)) return false;
    let at = first.length;
    for (const part of parts) {
      const found = text.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return text.length - last.length >= at && text.endsWith(last);
  };
}

/** Returns a command, the command it starts, and so on. */
function started(words: readonly string[]): (readonly string[])[] {
  const found: (readonly string[])[] = [];
  let rest = withoutBefore(words);
  while (rest.length > 0 && found.length < MOST_STARTERS) {
    found.push(rest);
    rest = withoutBefore(startedBy(rest));
  }
  return found;
}

function withoutBefore(words: readonly string[]): readonly string[] {
  const start = words.findIndex((word) => !BEFORE.test(word));
  return start < 0 ? [] : words.slice(start);
}

function startedBy(words: readonly string[]): readonly string[] {
  const name = nameOf(words[0]);
  const taking = Object.hasOwn(STARTERS, name) ? STARTERS[name]?.split(" ") : undefined;
  if (!taking) return [];
  let at = 1;
  for (let word = words[at]; word?.startsWith("-"); word = words[at]) {
    // `command -v` only looks up a program.
    if (name === "command" && /[vV]/.test(word)) return [];
    at += taking.includes(word) ? 2 : 1;
  }
  return words.slice(name === "timeout" ? at + 1 : at);
}

/** Returns the script passed to a shell with `-c`. */
function scriptOf(words: readonly string[]): string | undefined {
  if (!SHELL.test(nameOf(words[0]))) return undefined;
  const at = words.findIndex((word) => /^-[a-z]*c$/.test(word));
  return at < 0 ? undefined : words[at + 1];
}

function textsOf([program = "", ...words]: readonly string[]): string[] {
  const rest = words.map((word) => `${word.replaceAll(/\s/g, INNER_BLANK)} `).join("");
  const names = [program, fileNameOf(program), nameOf(program)];
  return names.map((name) => `${name.replaceAll(/\s/g, INNER_BLANK)} ${rest}`);
}

const fileNameOf = (program: string): string => /[^/\\]*$/.exec(program)?.[0] ?? "";

/** Removes Windows extensions, because Windows finds `npm.cmd` for `npm` and agents call either. */
const nameOf = (program = ""): string =>
  fileNameOf(program).replace(/\.(?:exe|cmd|bat|com|ps1)$/i, "");
