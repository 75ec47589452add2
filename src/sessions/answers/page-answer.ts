/** Formats a page of a recorded text for an agent: fenced, with the range of the next page. Pure. */
import { type Budget, Meter, without } from "../../ground/core/budget.ts";
import { SentinelError } from "../../ground/core/errors.ts";
import {
  fenced,
  firstWords,
  LINE_BREAK,
  oneLine,
  present,
  showControls,
} from "../../ground/core/text.ts";
import { type Event, eventText, shortEventId } from "../kinds/event.ts";
import type { Beside } from "./neighbours.ts";
import { shortIds, speakerLabel } from "./render.ts";
import type { Whole } from "./whole-text.ts";

/** Longer lines count as several. */
const LONGEST_LINE = 2_000;
/** The most characters of a session's or speaker's name. */
const LONGEST_NAME = 60;
/** The longest possible note about lines, for the budget. */
const LINES_NOTE = 'Lines 1000000-1000000 of 1000000. For the next, pass range "1000000-1000000".';

/** @param range of lines, like `201-400`, `201-` or `201`. The default is all. @throws SentinelError `bad_argument`. */
export function pageAnswer(
  whole: Whole,
  range: string | undefined,
  near: Beside | undefined,
  budget: Budget,
): string {
  const lines = whole.text.split(LINE_BREAK).flatMap((line) => {
    const pieces = line.length <= LONGEST_LINE ? [line] : (line.match(PIECE) ?? []);
    return pieces.map((piece) => `  ${showControls(piece)}`);
  });
  const { first, last } = readRange(range, lines.length);
  const before = neighbours("before it", near?.before);
  const after = neighbours("after it", near?.after);
  const head = headOf(whole);
  const room = without(budget, [LINES_NOTE, fenced([...before, head, ...after])].join("\n"));
  const shown = fitting(lines.slice(first - 1, last), room);
  const end = first + shown.length - 1;
  const isPart = shown.length < lines.length;
  const next = `${end + 1}-${Math.min(lines.length, end + shown.length)}`;
  const more = end < lines.length ? `. For the next, pass range "${next}"` : "";
  return present(
    isPart && `Lines ${first}-${end} of ${lines.length}${more}.`,
    fenced([...before, head, ...shown, ...after]),
  ).join("\n");
}

function headOf({ event, part, removed = [], replaced = [] }: Whole): string {
  if (!event) return `${part}:`;
  const now = (ref: string) =>
    `${oneLine(ref)}${removed.includes(ref) ? " (removed, or not visible to you)" : ""}`;
  const { id, ts, session, refs, tags } = event;
  const facts = present(
    part !== "event" && part,
    speakerLabel(event),
    timeOf(event, ts.slice(0, 10)),
    `session ${inShort(session)}`,
    replaced.length > 0 && `superseded by ${shortIds(replaced)}`,
    refs.length > 0 && `refs ${refs.map(now).join(" ")}`,
    tags.length > 0 && `tags ${tags.map(oneLine).join(" ")}`,
  );
  return `${id}: ${facts.join(", ")}`;
}

/** Formats neighbours, one line each. */
function neighbours(label: string, events: readonly Event[] = []): string[] {
  if (events.length === 0) return [];
  const rows = events.map(
    (event) =>
      `  ${shortEventId(event.id)} ${timeOf(event)} ${speakerLabel(event)}: ${firstWords(eventText(event))}`,
  );
  return [`${label}:`, ...rows];
}

const timeOf = ({ ts }: Event, day = ""): string => `${day} ${ts.slice(11, 19)}`.trim();

const inShort = (name: string): string => oneLine(name).slice(0, LONGEST_NAME);

/** Matches pieces without splitting a character. */
const PIECE = new RegExp(`[^]{1,${LONGEST_LINE}}`, "gu");

/** Returns at least one line, so paging always advances. */
function fitting(lines: readonly string[], budget: Budget): string[] {
  const meter = new Meter(budget);
  const end = lines.findIndex((line, at) => !meter.take(line) && at > 0);
  return lines.slice(0, end < 0 ? lines.length : end);
}

function readRange(range: string | undefined, count: number): { first: number; last: number } {
  if (range === undefined) return { first: 1, last: count };
  const [, from = "", dash = "", to = ""] = /^\s*(\d+)\s*(-?)\s*(\d*)\s*$/.exec(range) ?? [];
  const first = Number(from);
  const last = Math.min(count, dash === "" ? first : to === "" ? count : Number(to));
  if (first >= 1 && first <= last) return { first, last };
  throw new SentinelError(
    "bad_argument",
    `The range ${JSON.stringify(range.slice(0, 40))} is not within lines 1-${count}.`,
    'Give lines like "201-400", or leave range out.',
  );
}
