/** Keeps the lines of a transcript unique and their events in order. */
import { type ReadableFile, wholeLines } from "../../ground/files/readable-file.ts";
import type { EventDraft } from "../kinds/event.ts";
import { readJsonLine } from "../transcripts/json-lines.ts";
import type { TranscriptLine, TranscriptReader } from "../transcripts/transcript.ts";
import type { ReadingState } from "./capture-state.ts";

/** An image in a line has a few megabytes, twice. */
export const LONGEST_LINE_BYTES = 64 * 1024 * 1024;

/** Tracks the ids of lines. Reads the ids before `from` only when a line may be a repetition. @param from the position at which the reading starts. */
export function seenLines(file: ReadableFile, reader: TranscriptReader, from: number) {
  const ids = new Set<string>();
  let isComplete = from === 0;
  const addEarlier = () => {
    isComplete = true;
    for (const { start, text = "" } of wholeLines(file, 0, LONGEST_LINE_BYTES)) {
      if (start >= from) {
        return;
      }
      for (const { line } of readJsonLine(text, reader)) {
        if (line) {
          ids.add(line.id);
        }
      }
    }
  };
  /** Whether no earlier line was the same. Adds the line to the earlier ones. */
  return (line: TranscriptLine): boolean => {
    if (line.isRepetition && !isComplete) {
      addEarlier();
    }
    const isNew = !line.isRepetition || !ids.has(line.id);
    ids.add(line.id);
    return isNew;
  };
}

/**
 * Spaces events of the same time a millisecond apart, because ids begin with the time and must sort in order.
 * @param ts of their line, ISO 8601. An event with another time keeps it. @param state of the lines before. It's updated with these events.
 */
export function withDistinctTimes(
  drafts: readonly EventDraft[],
  ts: string,
  state: ReadingState,
): EventDraft[] {
  const at = Date.parse(ts);
  const spaced: EventDraft[] = [];
  for (const draft of drafts) {
    const { moment } = state;
    const isSame = moment !== undefined && at >= moment.from && at <= moment.last;
    if (draft.ts !== ts) {
      spaced.push(draft);
    } else if (isSame) {
      const last = moment.last + 1;
      state.moment = { from: moment.from, last };
      spaced.push({ ...draft, ts: new Date(last).toISOString() });
    } else {
      state.moment = { from: at, last: at };
      spaced.push(draft);
    }
  }
  return spaced;
}
