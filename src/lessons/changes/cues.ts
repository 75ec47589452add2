/** Cues are words from a principle's sources by which searches find the principle. A purge removes the cues from a lesson, or the cues with a word. */
import { NO_OWN_WORDS, type OwnWords } from "../../ground/redaction/own-words.ts";
import { hidePrivate } from "../../ground/redaction/private.ts";
import { redact } from "../../ground/redaction/redact.ts";
import { MARKS } from "../../ground/redaction/span.ts";
import { tokenize, writtenWords } from "../../ground/search/tokenizer.ts";
import { cuesOf, type Lesson, limitCues, MOST_CUE_BYTES } from "../format/lesson.ts";
import { restamped } from "../merge/prune.ts";
import { isLessonLine, type Snapshot, type WorkingCopy } from "../merge/versions.ts";

const WRITTEN_TOGETHER =
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;
const CHARACTERS_A_PIECE = Math.floor(MOST_CUE_BYTES / 3);

/** Returns the words of the sources' topics, gaps and cues that the lesson lacks. Leaves out words that a save would redact. */
export function cuesFrom(
  sources: readonly Lesson[],
  lesson: string,
  ownWords: OwnWords = NO_OWN_WORDS,
): string[] {
  const said = new Set(tokenize(lesson));
  const taken = new Set<string>();
  const words = new Set<string>();
  for (const { topic, missing_context, meta } of sources) {
    for (const text of [topic, missing_context, ...cuesOf(meta)]) {
      const visible = cueWords(withoutSecrets(text, ownWords));
      for (const word of visible) {
        words.add(word);
      }
      for (const word of cueWords(text)) {
        if (!visible.includes(word)) {
          taken.add(word);
        }
      }
    }
  }
  const isNew = (word: string) => tokenize(word).some((term) => !said.has(term));
  return limitCues([...words].filter((word) => !taken.has(word) && isNew(word)));
}

/** Returns the words of a text that may be cues: those that a search could contain. Splits words that are too long. */
function cueWords(text: string): string[] {
  return writtenWords(text)
    .flatMap(pieces)
    .filter((word) => tokenize(word).length > 0);
}

/** Splits a word that is too long. In scripts without spaces the pieces overlap, so every two neighbouring characters stay together in one piece. */
function pieces(word: string): string[] {
  if (Buffer.byteLength(word, "utf8") <= MOST_CUE_BYTES) {
    return [word];
  }
  if (!WRITTEN_TOGETHER.test(word)) {
    return word.split(/[_.-]+/);
  }
  const characters = [...word];
  const parts: string[] = [];
  for (let start = 0; start < characters.length - 1; start += CHARACTERS_A_PIECE - 1) {
    parts.push(characters.slice(start, start + CHARACTERS_A_PIECE).join(""));
  }
  return parts;
}

function withoutSecrets(text: string, ownWords: OwnWords): string {
  const { text: visible, unclosed } = hidePrivate(text);
  return unclosed === undefined
    ? ownWords.redact(redact(visible).text).text.replace(MARKS, " ")
    : "";
}

/** Returns the cues to remove from a principle. */
export type CuePurge = (principle: Lesson) => readonly string[];

/** The cues that are words of one lesson, in the principles made from it. @param removed the lessons in the trash. */
export function cuesOfLesson(id: string, snapshot: Snapshot, removed: readonly Lesson[]): CuePurge {
  const kept = snapshot.lines().filter(isLessonLine);
  const stored = [...kept.map(({ version }) => version), ...removed];
  const purged = new Set(stored.filter((lesson) => lesson.id === id).flatMap(wordsOf));
  return ({ meta }) =>
    meta.sources?.[id] === undefined ? [] : cuesOf(meta).filter((cue) => purged.has(cue));
}

/** The cues that are or contain a word of a text. */
export function cuesOfWord(text: string): CuePurge {
  const words = writtenWords(text);
  return ({ meta }) => cuesOf(meta).filter((cue) => words.some((word) => cue.includes(word)));
}

/** Removes cues from every principle that shows. @param now in ms since 1970. @returns how many. */
export function purgeCues(memory: WorkingCopy, purge: CuePurge, now: number): number {
  let count = 0;
  for (const { version } of memory.lessons()) {
    const purged = purge(version);
    if (purged.length === 0) {
      continue;
    }
    memory.add(restamped(withoutCues(version, purged), memory, now));
    count += purged.length;
  }
  return count;
}

/** A principle without some of its cues. */
export function withoutCues(principle: Lesson, purged: readonly string[]): Lesson {
  if (purged.length === 0) {
    return principle;
  }
  const { cues: _, ...meta } = principle.meta;
  const left = cuesOf(principle.meta).filter((cue) => !purged.includes(cue));
  return { ...principle, meta: left.length > 0 ? { ...meta, cues: left } : meta };
}

function wordsOf({ topic, missing_context, lesson, ask_next_time = "", meta }: Lesson): string[] {
  return [topic, missing_context, lesson, ask_next_time, ...cuesOf(meta)].flatMap(cueWords);
}
