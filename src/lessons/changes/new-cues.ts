import { NO_OWN_WORDS, type OwnWords } from "../../ground/redaction/own-words.ts";
import { hidePrivate } from "../../ground/redaction/private.ts";
import { redact } from "../../ground/redaction/redact.ts";
import { MARKS } from "../../ground/redaction/span.ts";
import { tokenize, writtenWords } from "../../ground/search/tokenizer.ts";
import { cuesOf, type Lesson, limitCues, MOST_CUE_BYTES } from "../format/lesson.ts";

const WRITTEN_TOGETHER =
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;
const CHARACTERS_A_PIECE = Math.floor(MOST_CUE_BYTES / 3);

/** Words of the sources' topics, gaps and cues that a lesson lacks, without words that would be redacted there. */
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
      for (const word of visible) words.add(word);
      for (const word of cueWords(text)) if (!visible.includes(word)) taken.add(word);
    }
  }
  return limitCues(
    [...words].filter((word) => !taken.has(word) && tokenize(word).some((term) => !said.has(term))),
  );
}

/** The words of a text that may be cues: whatever a search could ask for, each short enough. */
export function cueWords(text: string): string[] {
  return writtenWords(text)
    .flatMap(pieces)
    .filter((word) => tokenize(word).length > 0);
}

/** A word that is too long, in parts. In scripts without spaces they overlap, so that each two neighbours stay together. */
function pieces(word: string): string[] {
  if (Buffer.byteLength(word, "utf8") <= MOST_CUE_BYTES) return [word];
  if (!WRITTEN_TOGETHER.test(word)) return word.split(/[_.-]+/);
  const characters = [...word];
  const starts = characters
    .slice(1)
    .flatMap((_, index) => (index % (CHARACTERS_A_PIECE - 1) === 0 ? [index] : []));
  return starts.map((start) => characters.slice(start, start + CHARACTERS_A_PIECE).join(""));
}

function withoutSecrets(text: string, ownWords: OwnWords): string {
  const { text: visible, unclosed } = hidePrivate(text);
  return unclosed === undefined
    ? ownWords.redact(redact(visible).text).text.replace(MARKS, " ")
    : "";
}
