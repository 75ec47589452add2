/** Asks the user's own command for lessons in a session, if they agreed to it for this project. The answers wait for review. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { parseJson, SentinelError } from "../../ground/core/errors.ts";
import { firstWords, oneLine } from "../../ground/core/text.ts";
import { estimateTokens } from "../../ground/core/tokens.ts";
import { changeUserFile } from "../../ground/files/private-file.ts";
import { readJson } from "../../ground/files/read-files.ts";
import type { OwnWords } from "../../ground/redaction/own-words.ts";
import { doTheSame, MOST_LATER } from "../candidates/recurring.ts";
import type { Extractor } from "../consent/limits.ts";
import { eventText, isOwn } from "../kinds/event.ts";
import type { EventStore } from "../store.ts";
import type { UncheckedNote } from "./note.ts";

const PROMPT = `Below is a part of a coding session, oldest first. Which lessons would spare the next session work: what the instructions left
out, and the rule that follows? Take only what happened here and holds for this project beyond that day; nothing is a good answer.
Answer with a JSON array alone: [{"event": "the evt_ id of the line that shows it", "topic": "one or two words",
"missing_context": "what the instructions left out", "lesson": "the rule, in one or two sentences",
"when": "optional, where it comes up, like command: npm publish; error: E403; path: src/tax/**; word: vat",
"replaces": ["optional, the references of existing lessons below that it corrects"]}]`;
const EXISTING = "The project's lessons on these topics. Don't repeat them:";
/** A lesson in the extractor's answer. Other fields are dropped. */
const SAID = z.object({
  event: z.string(),
  topic: z.string(),
  missing_context: z.string(),
  lesson: z.string(),
  // A model may answer null, which must not cost the lesson.
  when: z.unknown().optional(),
  replaces: z.unknown().optional(),
});
type Said = z.output<typeof SAID>;
/** Lists the project's lessons about a text, a line each that begins with a full reference. */
export type LessonsAbout = (text: string, mostTokens: number) => readonly string[];

/** A part of a session as the extractor gets it. */
export interface SessionPart {
  readonly session: string;
  readonly text: string;
  readonly tokens: number;
  /** The ids of its events. */
  readonly events: readonly string[];
  /** The full references of the lessons in it. */
  readonly references: readonly string[];
}

/** The most tokens of a run, and of the existing lessons in it. */
const MOST_OF_A_RUN = 30_000;
const MOST_OF_LESSONS = 2_000;
const MOST_EVENT_CHARACTERS = 2_000;
const MOST_MINUTES = 10;
const MOST_SESSIONS = 1_000;
const MOST_LESSONS = 20;
const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** The extractor's runs and tokens in a project, from `state/extractor.json` of the session log. */
export interface Given {
  /** The command that the user agreed to. */
  readonly agreed?: string;
  readonly day: string;
  readonly runs: number;
  readonly tokens: number;
  /** The sessions that it has read. */
  readonly sessions: readonly string[];
}

/** @param day today's. Counts of other days are reset. */
export function givenIn(logFolder: string, day: string): Given {
  const none: Given = { day, runs: 0, tokens: 0, sessions: [] };
  const given: Given = readJson(pathIn(logFolder)) ?? none;
  return given.day === day ? given : { ...given, ...none, sessions: given.sessions };
}

/** Saves the counts. Call it before a run, so a failed run counts too. */
export async function noteGiven(logFolder: string, given: Given): Promise<void> {
  const sessions = given.sessions.slice(-MOST_SESSIONS);
  await changeUserFile(pathIn(logFolder), () => JSON.stringify({ ...given, sessions }));
}

/**
 * The messages and failures of a session, each failure with the command that worked later. Keeps the end if the session is too long.
 * Removes private passages, own words and secrets.
 */
export async function partOf(
  store: EventStore,
  session: string,
  mostTokens: number,
  words: OwnWords,
  lessonsAbout: LessonsAbout,
): Promise<SessionPart> {
  const lines: string[] = [];
  const events: string[] = [];
  let later: string[] = [];
  const most = Math.min(mostTokens, MOST_OF_A_RUN);
  const forLessons = Math.min(MOST_OF_LESSONS, Math.floor(most / 5));
  let left = most - estimateTokens(PROMPT) - forLessons;
  for await (const event of store.read({
    session,
    kinds: ["message", "tool_result"],
    newestFirst: true,
  })) {
    if (!isOwn(event)) {
      continue;
    }
    const { command = "", outcome } = event.kind === "tool_result" ? event.content : {};
    if (event.kind === "tool_result" && outcome === undefined) {
      later = [command, ...later].slice(0, MOST_LATER);
      continue;
    }
    const worked = later.find((next) => doTheSame(command, next));
    const call = worked === undefined ? command : `${command} (afterwards worked: ${worked})`;
    const said = oneLine(words.redact(`${call} ${eventText(event)}`).text).slice(
      0,
      MOST_EVENT_CHARACTERS,
    );
    const line = `${event.id} ${event.actor.type}: ${said}`;
    left -= estimateTokens(line);
    if (left < 0) {
      break;
    }
    lines.unshift(line);
    events.push(event.id);
  }
  const existing = lessonsAbout(lines.join("\n"), forLessons);
  const lessons = existing.map((line) => words.redact(line).text);
  const parts = [PROMPT];
  if (lessons.length > 0) {
    parts.push([EXISTING, ...lessons].join("\n"));
  }
  parts.push(lines.join("\n"));
  const text = `${parts.join("\n\n")}\n`;
  const references = existing.map((line) => line.split(" ", 1)[0] ?? "");
  return { session, text, tokens: estimateTokens(text), events, references };
}

/** The lessons in an extractor's answer, and the other items. */
export interface Extracted {
  readonly notes: readonly UncheckedNote[];
  readonly left: readonly unknown[];
}

/**
 * @returns also the answers that are no lessons. @throws SentinelError `extractor_failed` if the command
 * fails or doesn't answer with a list.
 */
export async function extract(
  { text, session, events, references }: SessionPart,
  { command }: Extractor,
): Promise<Extracted> {
  const answer = await run(command, text);
  const list = /\[[\s\S]*\]/.exec(answer)?.[0] ?? "";
  const said = parseJson(list);
  if (!Array.isArray(said)) {
    throw failed(command, `answered no such list: ${firstWords(answer)}`);
  }
  // A lesson must cite an event of this session, or it may belong to another project.
  const taken = said
    .filter((item) => isSaid(item) && events.includes(item.event))
    .slice(0, MOST_LESSONS);
  const notes = taken.map(({ event, when, replaces, ...texts }: Said): UncheckedNote => {
    const named: readonly unknown[] = Array.isArray(replaces) ? replaces : [];
    const known = references.filter((reference) => named.includes(reference));
    const moment = { event, session };
    return {
      topic: texts.topic,
      missing_context: texts.missing_context,
      lesson: texts.lesson,
      file: event,
      line: 1,
      moment,
      when: typeof when === "string" && when.trim() !== "" ? when : undefined,
      replaces: known.length > 0 ? known : undefined,
    };
  });
  return { notes, left: said.filter((item) => !taken.includes(item)) };
}

const isSaid = (item: unknown): item is Said => SAID.safeParse(item).success;

/** Runs it in an empty folder, so its own session belongs to no project. A signal to this process stops it and removes the folder. */
function run([program = "", ...words]: readonly string[], input: string): Promise<string> {
  const cwd = mkdtempSync(join(tmpdir(), "sentinel-memory-"));
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  for (const name of SIGNALS) {
    process.on(name, onSignal);
  }
  const options = {
    cwd,
    timeout: MOST_MINUTES * 60_000,
    maxBuffer: 16 * 1024 * 1024,
    signal: stop.signal,
  };
  return new Promise<string>((resolve, reject) => {
    const child = execFile(program, words, options, (error, answer, message) =>
      error
        ? reject(failed([program, ...words], firstWords(message || error.message)))
        : resolve(answer),
    );
    // A command that exits before it has read its input reports its own error.
    child.stdin?.on("error", () => {}).end(input);
  }).finally(() => {
    for (const name of SIGNALS) {
      process.off(name, onSignal);
    }
    rmSync(cwd, { recursive: true, force: true });
  });
}

const failed = (command: readonly string[], why: string) =>
  new SentinelError(
    "extractor_failed",
    `The extractor "${command.join(" ")}" ${why}`,
    "Try the command by itself, with a text on standard input; it is named in your record.yaml.",
  );

const pathIn = (logFolder: string): string => join(logFolder, "state", "extractor.json");
