/** One session: a model works on one request in a folder, move by move. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { callTools, hookText } from "./memory.mjs";

/** A session ends after this many moves. */
export const MOST_MOVES = 10;

const MOVES = {
  read: '{"read": "PATH"}',
  write: '{"write": "PATH", "text": "THE WHOLE FILE"}',
  search: '{"search": "THE TASK\'S KEY WORDS AND OTHER NAMES FOR THE SAME THINGS"}',
  log: '{"log": {"topic": "…", "missing_context": "WHAT NOBODY TOLD YOU", "lesson": "THE RULE", "when": "path: FILE; word: WORD"}}',
  answer: '{"answer": "what you did"} when you are done',
};

/**
 * @typedef {object} Help what the memory gives in this session
 * @property {boolean} [start] the hook's text at the session's start
 * @property {boolean} [prompt] the hook's text at the user's request
 * @property {boolean} [search] the model may search, and is told to do it first
 * @property {boolean} [action] the hook's text when a file is about to be written
 * @property {boolean} [log] the model may log a lesson
 */

/** A session in `folder` with what `help` switches on. */
export class Session {
  #folder;
  #help;
  #messages = [];
  /** Asks the model for its next move; counts the calls. */
  #ask;

  constructor(folder, help, ask) {
    this.#folder = folder;
    this.#help = help;
    this.#ask = ask;
  }

  /** Sends what the user says, and lets the model move until it answers. */
  async say(request) {
    const parts = [request];
    if (this.#help.prompt) {
      parts.unshift(
        hookText(this.#folder, { hook_event_name: "UserPromptSubmit", prompt: request }),
      );
    }
    if (this.#messages.length === 0) {
      parts.unshift(this.#rules(), this.#startText());
    }
    this.#messages.push({ role: "user", content: parts.filter(Boolean).join("\n\n") });
    for (let count = 1; count <= MOST_MOVES; count++) {
      const move = await this.#ask({ messages: this.#messages });
      this.#messages.push({ role: "assistant", content: JSON.stringify(move) });
      if (move.answer !== undefined) {
        return;
      }
      this.#messages.push({ role: "user", content: this.#act(move) });
    }
  }

  #rules() {
    const { read, write, search, log, answer } = MOVES;
    const moves = [read, write];
    const advice = [];
    if (this.#help.search) {
      moves.push(search);
      advice.push("This project has a memory of lessons: search it before the task.");
    }
    if (this.#help.log) {
      moves.push(log);
      advice.push("Log one lesson for each thing you had to find out because nobody told you.");
    }
    const list = [...moves, `or ${answer}`].join(", ");
    return `You repair files of a project. Reply with one JSON object only: ${list}. ${advice.join(" ")}`.trim();
  }

  #startText() {
    if (!this.#help.start) {
      return "";
    }
    return hookText(this.#folder, { hook_event_name: "SessionStart", source: "startup" });
  }

  /** Carries out a move and returns its result, with the hook's text as a real client shows it. */
  #act(move) {
    if (this.#help.search && typeof move.search === "string") {
      return this.#call("search_memory", { query: move.search });
    }
    if (this.#help.log && move.log !== undefined) {
      return this.#call("log_memory", move.log);
    }
    const named = move.read ?? move.write;
    if (typeof named !== "string") {
      return `This is not a valid move. ${this.#rules()}`;
    }
    const path = resolve(this.#folder, named);
    if (relative(this.#folder, path).startsWith("..")) {
      return "That is outside the project.";
    }
    if (move.read !== undefined) {
      return existsSync(path) ? readFileSync(path, "utf8") : "There is no such file.";
    }
    if (typeof move.text !== "string") {
      return `This is not a valid move. ${this.#rules()}`;
    }
    return this.#write(path, move.text);
  }

  #call(name, args) {
    const [text] = callTools(this.#folder, [{ name, arguments: args }]);
    return text;
  }

  #write(path, text) {
    const added = this.#help.action
      ? hookText(this.#folder, {
          hook_event_name: "PreToolUse",
          tool_name: "Write",
          tool_input: { file_path: path, content: text },
        })
      : "";
    put(path, text);
    return ["Written.", added].filter(Boolean).join("\n\n");
  }
}

/** Writes a file and the folders it needs. */
export function put(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
