/** The commands in a shell line, to distinguish a command from a string, comment or here-document that mentions one, and patterns that match them. */

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

/** Returns a test for a pattern. A plain pattern matches the start of a command. A pattern with `*`, which matches any text, must match the whole command. A final ` *` also matches no arguments. */
export function commandMatcher(pattern: string): (text: string) => boolean {
  const plain = pattern.trim().replaceAll(/\s+/g, " ").replace(/:\*$/, " *");
  if (plain === "") {
    return () => false;
  }
  let whole = plain.endsWith("*") ? plain : `${plain} `;
  if (!plain.includes("*")) {
    whole += "*";
  }
  const [first = "", ...parts] = whole.split("*");
  const last = parts.pop() ?? "";
  return (text) => {
    if (!text.startsWith(first)) {
      return false;
    }
    let at = first.length;
    for (const part of parts) {
      const found = text.indexOf(part, at);
      if (found < 0) {
        return false;
      }
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
  if (!taking) {
    return [];
  }
  let at = 1;
  for (let word = words[at]; word?.startsWith("-"); word = words[at]) {
    // `command -v` only looks up a program.
    if (name === "command" && /[vV]/.test(word)) {
      return [];
    }
    at += taking.includes(word) ? 2 : 1;
  }
  return words.slice(name === "timeout" ? at + 1 : at);
}

/** Returns the script passed to a shell with `-c`. */
function scriptOf(words: readonly string[]): string | undefined {
  if (!SHELL.test(nameOf(words[0]))) {
    return undefined;
  }
  const at = words.findIndex((word) => /^-[a-z]*c$/.test(word));
  return at < 0 ? undefined : words[at + 1];
}

function textsOf([program = "", ...words]: readonly string[]): string[] {
  const rest = words.map((word) => `${word.replaceAll(/\s/g, INNER_BLANK)} `).join("");
  const names = [program, fileNameOf(program), nameOf(program)];
  return names.map((name) => `${name.replaceAll(/\s/g, INNER_BLANK)} ${rest}`);
}

const fileNameOf = (program: string): string => /[^/\\]*$/.exec(program)?.[0] ?? "";

/** Returns a program's name, without its path and Windows extension, because Windows finds `npm.cmd` for `npm` and agents call either. */
export const nameOf = (program = ""): string =>
  fileNameOf(program).replace(/\.(?:exe|cmd|bat|com|ps1)$/i, "");

/** An open part of a line: the line itself, a subshell, or a substitution inside a word. */
interface Part {
  readonly closer: string;
  /** Whether the content is data rather than commands, as in `${…}`, an array or arithmetic. */
  readonly isData: boolean;
  isQuoted: boolean;
  words: string[];
  word: string | undefined;
  /** The role of the next word: part of the command, the target of a redirection, or the end marker of a here-document. */
  next: "word" | "target" | "end" | "indented end";
}

/** The next token. Each form consumes at least one character. */
const TOKEN = anyOf(
  /(?<plain>[^\s"'`\\$(){}|&;<>#]+)/,
  // A backslash at the end of a line continues the line.
  /\\(?:\n|(?<escaped>[\s\S]?))/,
  /'(?<single>[^']*)'?/,
  /\$'(?<ansi>(?:\\[\s\S]|[^'\\])*)'?/,
  /(?<quote>")/,
  /(?<opener>\$?\(\(|[$<>]?\(|\$\{|`)/,
  /(?<redirection><<<|<<-?|&>>?|[<>]{1,2}[&|]?)/,
  /(?<separator>[\n;|&]|\{(?=\s))/,
  /(?<blank>[^\S\n]+)/,
  /(?<other>[\s\S])/,
);
/** The next token between double quotes. */
const QUOTED_TOKEN = anyOf(
  /(?<plain>[^"\\$`]+)/,
  /\\(?:\n|(?<escaped>[$"\\`]))/,
  /(?<quote>")/,
  /(?<opener>\$\(\(?|\$\{|`)/,
  /(?<other>[\s\S])/,
);

function anyOf(...forms: readonly RegExp[]): RegExp {
  return new RegExp(forms.map(({ source }) => source).join("|"), "y");
}

/** Returns the words of each simple command, unquoted, in the order the commands end. It takes linear time. */
export function simpleCommands(line: string): string[][] {
  return new ShellReader(line).read();
}

class ShellReader {
  readonly #text: string;
  readonly #commands: string[][] = [];
  #part = newPart("", false);
  readonly #parts = [this.#part];
  /** The here-documents that start on the next line. */
  #documents: { readonly end: string; readonly isIndented: boolean }[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): string[][] {
    while (this.#at < this.#text.length) {
      const pattern = this.#part.isQuoted ? QUOTED_TOKEN : TOKEN;
      pattern.lastIndex = this.#at;
      const { groups = {} } = pattern.exec(this.#text) ?? {};
      this.#at = pattern.lastIndex;
      this.#readToken(groups);
    }
    while (this.#parts.length > 0) {
      this.#close();
    }
    return this.#commands;
  }

  #readToken(token: Readonly<Record<string, string | undefined>>): void {
    const { quote, opener, redirection, separator, blank, other } = token;
    const text = token.plain ?? token.escaped ?? token.ansi ?? token.single;
    if (text !== undefined) {
      this.#add(text);
    } else if (quote) {
      this.#part.isQuoted = !this.#part.isQuoted;
      this.#add("");
    } else if (opener) {
      this.#open(opener);
    } else if (redirection) {
      this.#redirect(redirection);
    } else if (separator) {
      this.#separate(separator);
    } else if (blank) {
      this.#endWord();
    } else if (other) {
      this.#readOther(other);
    }
  }

  #readOther(character: string): void {
    const part = this.#part;
    if (part.isQuoted) {
      this.#add(character);
    } else if (character === "#" && part.word === undefined) {
      this.#at = this.#lineEnd();
    } else if (character === part.closer) {
      this.#close();
    } else if (character === ")") {
      // The words so far were the pattern of a `case`.
      part.words = [];
      part.word = undefined;
    } else {
      this.#add(character);
    }
  }

  /** Reads the start of a substitution, whose output is unknown, or of a subshell. A parenthesis directly after a word starts an array or a function's parameter list. */
  #open(opener: string): void {
    const { word, isData, closer } = this.#part;
    if (opener === "`" && closer === "`") {
      this.#close();
    } else if (opener === "(" && word === undefined) {
      this.#endCommand();
      this.#push(")", isData);
    } else {
      this.#add("$");
      if (opener === "`") {
        this.#push("`", false);
      } else if (opener === "${") {
        this.#push("}", true);
      } else {
        this.#push(")", opener === "(" || opener.endsWith("(("));
      }
      if (opener.endsWith("((")) {
        this.#push(")", true);
      }
    }
  }

  #redirect(operator: string): void {
    const part = this.#part;
    if (/^\d+$/.test(part.word ?? "") && !operator.startsWith("&")) {
      part.word = undefined;
    }
    this.#endWord();
    if (part.isData) {
      return;
    }
    part.next = "target";
    if (operator === "<<") {
      part.next = "end";
    }
    if (operator === "<<-") {
      part.next = "indented end";
    }
  }

  #separate(separator: string): void {
    this.#endCommand();
    if (separator !== "\n") {
      return;
    }
    for (const { end, isIndented } of this.#documents) {
      let isOver = false;
      while (!isOver && this.#at < this.#text.length) {
        const line = this.#text.slice(this.#at, this.#lineEnd());
        isOver = (isIndented ? line.replace(/^\t+/, "") : line) === end;
        this.#at += line.length + 1;
      }
    }
    this.#documents = [];
  }

  #push(closer: string, isData: boolean): void {
    this.#part = newPart(closer, isData);
    this.#parts.push(this.#part);
  }

  #close(): void {
    this.#endCommand();
    this.#parts.pop();
    this.#part = this.#parts.at(-1) ?? this.#part;
  }

  #endCommand(): void {
    this.#endWord();
    const part = this.#part;
    if (part.words.length > 0 && !part.isData) {
      this.#commands.push(part.words);
    }
    part.words = [];
    part.next = "word";
  }

  #endWord(): void {
    const part = this.#part;
    const { word, next } = part;
    if (word === undefined) {
      return;
    }
    if (next === "word") {
      part.words.push(word);
    } else if (next !== "target") {
      this.#documents.push({ end: word, isIndented: next === "indented end" });
    }
    part.word = undefined;
    part.next = "word";
  }

  #add(text: string): void {
    this.#part.word = (this.#part.word ?? "") + text;
  }

  #lineEnd(): number {
    const end = this.#text.indexOf("\n", this.#at);
    return end < 0 ? this.#text.length : end;
  }
}

function newPart(closer: string, isData: boolean): Part {
  return { closer, isData, isQuoted: false, words: [], word: undefined, next: "word" };
}
