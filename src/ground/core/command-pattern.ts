/** Patterns of commands, and the programs that a shell line starts with them. */
import { simpleCommands } from "./shell-commands.ts";

/** Words that may stand before a command. */
const BEFORE =
  /^(?:if|then|elif|else|do|while|until|coproc|fi|done|esac|!|\{|\}|\w+(?:\[[^\]]*\])?\+?=.*)$/s;
/** Programs that start the one that follows, with those of their options that take a word. */
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
/** Most in a row, since each is a command too. */
const MOST_STARTERS = 5;
const SHELL = /^(?:ba|da|k|z)?sh$/;
/** Stands for a blank within a word, which no blank of a pattern matches. */
const INNER_BLANK = "\u00a0";

/** All commands of a line for `commandMatcher`, each ended by a blank: those in `sh -c`, with and without `sudo`, and programs without a path. */
export function commandTexts(line: string): string[] {
  const outer = simpleCommands(line).flatMap(started);
  const scripts = outer.flatMap((words) => scriptOf(words) ?? []);
  const inner = scripts.flatMap((script) => simpleCommands(script).flatMap(started));
  return [...new Set([...outer, ...inner].flatMap(textsOf))];
}

/** The words of each command of a line, without what starts it: variables, `sudo`, `timeout 60`. */
export const startedCommands = (line: string): (readonly string[])[] =>
  simpleCommands(line).map((words) => started(words).at(-1) ?? []);

/** Whether a command begins with a pattern's words or, with a `*` for any text, is it as a whole; ` *` at the end may be nothing. */
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

/** A command, and the one that it starts, and so on. */
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
    // It only looks for a program.
    if (name === "command" && /[vV]/.test(word)) return [];
    at += taking.includes(word) ? 2 : 1;
  }
  return words.slice(name === "timeout" ? at + 1 : at);
}

/** The script that a shell gets with `-c`. */
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

/** Windows finds `npm.cmd` for `npm`, and agents call either. */
const nameOf = (program = ""): string =>
  fileNameOf(program).replace(/\.(?:exe|cmd|bat|com|ps1)$/i, "");
