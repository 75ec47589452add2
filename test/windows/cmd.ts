/**
 * How Windows reads a command line, as far as ours need it: cmd fills variables in and ends a command at a sign outside of quotes, then the
 * runtime of the program that it starts takes its words apart. Microsoft documents both; neither can run here.
 */

interface Surroundings {
  /** What stands between percent signs, without regard to case. A name that is not there stays, as at a prompt. */
  readonly variables?: Readonly<Record<string, string>>;
  /** In a batch file: its folder, with a `\` at the end, and the words behind its name as they were typed. */
  readonly batch?: { readonly folder: string; readonly rest: string };
}

/** The words of each command that cmd would run for one line. */
export function commandsOf(line: string, { variables = {}, batch }: Surroundings = {}): string[][] {
  const typed = line.replace(/^@/, "");
  const ofBatch = batch
    ? typed.replaceAll("%~dp0", () => batch.folder).replaceAll("%*", () => batch.rest)
    : typed;
  const named = new Map(
    Object.entries(variables).map(([name, value]) => [name.toUpperCase(), value]),
  );
  const filled = ofBatch.replaceAll(
    /%([^%]+)%/g,
    (whole, name: string) => named.get(name.toUpperCase()) ?? whole,
  );
  return commandsIn(filled).map(wordsOf);
}

/** Cuts a line where cmd does: at `&`, `|`, `<`, `>` outside of double quotes, unless `^` stands before. */
function commandsIn(line: string): string[] {
  const commands = [""];
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    const sign = line.charAt(at);
    if (sign === '"') {
      isQuoted = !isQuoted;
    }
    if (!isQuoted && /[&|<>]/.test(sign)) {
      commands.push("");
    } else {
      commands[commands.length - 1] += !isQuoted && sign === "^" ? line.charAt(++at) : sign;
    }
  }
  return commands.map((command) => command.trim()).filter((command) => command !== "");
}

/** Words as the C runtime makes them: `\"` and, between quotes, `""` are a quote; any other `\` is itself. */
function wordsOf(command: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let isQuoted = false;
  for (let at = 0; at < command.length; at++) {
    const [, slashes = "", quote = ""] = /^(\\*)("?)/.exec(command.slice(at)) ?? [];
    if (quote !== "") {
      word = (word ?? "") + "\\".repeat(Math.floor(slashes.length / 2));
      at += slashes.length;
      if (slashes.length % 2 === 1) {
        word += '"';
      } else if (isQuoted && command[at + 1] === '"') {
        word += command.charAt(++at);
      } else {
        isQuoted = !isQuoted;
      }
    } else if (!isQuoted && /[ \t]/.test(command.charAt(at))) {
      if (word !== undefined) {
        words.push(word);
      }
      word = undefined;
    } else {
      word = (word ?? "") + command.charAt(at);
    }
  }
  return word === undefined ? words : [...words, word];
}
