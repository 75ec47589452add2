/** Parses a shell line into its simple commands in one pass, to distinguish a command from a string, comment or here-document that mentions one. */

/** An open nested part: the line itself, a subshell, or a substitution inside a word. */
interface Frame {
  readonly closer: string;
  /** Whether the content is data rather than commands, as in `${…}`, an array or arithmetic. */
  readonly isData: boolean;
  words: string[];
  word: string | undefined;
  /** The role of the next word: part of the command, the target of a redirection, or the end marker of a here-document. */
  next: "word" | "target" | "end" | "indented end";
  isQuoted: boolean;
}

const BETWEEN_COMMANDS: ReadonlySet<string> = new Set(["\n", ";", "|", "&"]);
const PLAIN = /[^\s"'`\\$(){}|&;<>#]+/y;
const PLAIN_IN_QUOTES = /[^"\\$`]+/y;
const REDIRECTION = /<<<|<<-?|&>>?|[<>]{1,2}[&|]?/y;
const QUOTES = /'[^']*'?/y;
const ESCAPED_QUOTES = /'(?:\\[\s\S]|[^'\\])*'?/y;

/** Returns the words of each simple command, unquoted, in the order the commands end. @param onStep counts the steps, for the test of the time bound. */
export function simpleCommands(line: string, onStep?: () => void): string[][] {
  const reader = new Reader(line);
  while (reader.step()) onStep?.();
  return reader.end();
}

class Reader {
  readonly #text: string;
  readonly #found: string[][] = [];
  readonly #frames: Frame[] = [];
  /** End markers of the here-documents that start on the next line. */
  #bodies: { readonly end: string; readonly isIndented: boolean }[] = [];
  #at = 0;
  #frame: Frame;

  constructor(text: string) {
    this.#text = text;
    this.#frame = this.#open("");
  }

  step(): boolean {
    if (this.#at >= this.#text.length) return false;
    const run = this.#take(this.#frame.isQuoted ? PLAIN_IN_QUOTES : PLAIN);
    if (run) this.#add(run);
    else this.#mark(this.#text.charAt(this.#at));
    return true;
  }

  end(): string[][] {
    for (; this.#frames.length > 0; this.#close()) this.#endCommand();
    return this.#found;
  }

  #mark(mark: string): void {
    const frame = this.#frame;
    const after = this.#text.charAt(this.#at + 1);
    if (mark === "\\" && after === "\n") this.#at += 2;
    else if (mark === "\\")
      this.#move(2, frame.isQuoted && !/[$"\\`]/.test(after) ? mark + after : after);
    else if (mark === "`" && frame.closer === mark) this.#closeAt();
    else if (mark === "`") this.#substitute(1, mark);
    else if (mark === "$" && after === "{") this.#substitute(2, "}", true);
    else if (mark === "$" && after === "(") this.#parenthesis(1);
    else if (mark === '"') {
      frame.isQuoted = !frame.isQuoted;
      this.#move(1, "");
    } else if (frame.isQuoted) this.#move(1, mark);
    else this.#unquoted(mark, after);
  }

  #unquoted(mark: string, after: string): void {
    const isInWord = this.#frame.word !== undefined;
    if (mark === "$" && after === "'") this.#inQuotes(1, ESCAPED_QUOTES);
    else if (mark === "'") this.#inQuotes(0, QUOTES);
    else if (mark === "#" && !isInWord) this.#toLineEnd();
    else if (mark === "<" || mark === ">" || (mark === "&" && after === ">")) this.#redirect(after);
    else if (mark === "(") this.#parenthesis(0);
    else if (mark === ")" || (mark === "}" && this.#frame.closer === mark)) this.#closing(mark);
    else if (BETWEEN_COMMANDS.has(mark) || (mark === "{" && !isInWord && /\s/.test(after)))
      this.#separate(mark);
    else if (/\s/.test(mark)) {
      this.#endWord();
      this.#at++;
    } else this.#move(1, mark);
  }

  #separate(mark: string): void {
    this.#endCommand();
    this.#at++;
    if (mark === "\n") this.#skipBodies();
  }

  /** Reads a substitution or subshell. A parenthesis directly after a word starts an array or a function's parameter list. @param before 1 after a `$`. */
  #parenthesis(before: 0 | 1): void {
    const { word, words } = this.#frame;
    const isArithmetic = this.#text.startsWith("((", this.#at + before);
    if (before === 0 && word === undefined && !(isArithmetic && words.length === 0)) {
      this.#endCommand();
      this.#at++;
      this.#open(")", this.#frame.isData);
    } else {
      const isData = isArithmetic || before === 0;
      this.#substitute(before + 1, ")", isData);
      if (isArithmetic) this.#substitute(1, ")", true);
    }
  }

  #closing(mark: string): void {
    if (this.#frame.closer === mark) this.#closeAt();
    else {
      // The words so far were the pattern of a `case`.
      Object.assign(this.#frame, { words: [], word: undefined });
      this.#at++;
    }
  }

  #redirect(after: string): void {
    if (after === "(") {
      this.#substitute(2, ")");
      return;
    }
    const frame = this.#frame;
    const operator = this.#take(REDIRECTION);
    if (/^\d+$/.test(frame.word ?? "") && !operator.startsWith("&")) frame.word = undefined;
    this.#endWord();
    if (!frame.isData)
      frame.next = operator === "<<" ? "end" : operator === "<<-" ? "indented end" : "target";
  }

  #inQuotes(before: 0 | 1, quotes: RegExp): void {
    this.#at += before;
    this.#add(this.#take(quotes).slice(1).replace(/'$/, ""));
  }

  /** Starts a substitution inside a word. Its output is unknown. */
  #substitute(length: number, closer: string, isData = false): void {
    this.#move(length, "$");
    this.#open(closer, isData);
  }

  #open(closer: string, isData = false): Frame {
    this.#frame = { closer, isData, words: [], word: undefined, next: "word", isQuoted: false };
    this.#frames.push(this.#frame);
    return this.#frame;
  }

  #closeAt(): void {
    this.#endCommand();
    this.#close();
    this.#at++;
  }

  #close(): void {
    this.#frames.pop();
    this.#frame = this.#frames.at(-1) ?? this.#frame;
  }

  #endCommand(): void {
    this.#endWord();
    const { words, isData } = this.#frame;
    if (words.length > 0 && !isData) this.#found.push(words);
    Object.assign(this.#frame, { words: [], next: "word" });
  }

  #endWord(): void {
    const { word, next, words } = this.#frame;
    if (word === undefined) return;
    if (next === "word") words.push(word);
    else if (next !== "target")
      this.#bodies.push({ end: word, isIndented: next === "indented end" });
    Object.assign(this.#frame, { word: undefined, next: "word" });
  }

  #skipBodies(): void {
    for (const { end, isIndented } of this.#bodies) {
      for (let isOver = false; !isOver && this.#at < this.#text.length; this.#at++) {
        const start = this.#at;
        this.#toLineEnd();
        const line = this.#text.slice(start, this.#at);
        isOver = (isIndented ? line.replace(/^\t+/, "") : line) === end;
      }
    }
    this.#bodies = [];
  }

  #toLineEnd(): void {
    const end = this.#text.indexOf("\n", this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }

  #move(length: number, added: string): void {
    this.#at += length;
    this.#add(added);
  }

  #add(text: string): void {
    this.#frame.word = (this.#frame.word ?? "") + text;
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ""] = pattern.exec(this.#text) ?? [];
    this.#at += found.length;
    return found;
  }
}
