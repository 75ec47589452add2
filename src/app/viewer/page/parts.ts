/** Small parts that all views use. Stored text is only used as the content of a text node, with its own text direction. */

import { html } from "htm/preact";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { showControls } from "../../../ground/core/text.ts";
import type { LessonTexts } from "../lessons.ts";
import type { Problem } from "./call.ts";

/** The labels of a lesson's texts. */
export const NAMES = {
  missing_context: "Was missing",
  lesson: "Lesson",
  ask_next_time: "Ask next time",
  when: "Comes up",
} as const;
/** Matches the placeholder of a redacted text. */
const MARK = /(\[(?:REDACTED|PRIVATE)[^\]]*\])/g;

/** Shows a text with its line breaks, and a lock for each redaction. Its characters can't change the direction of other text. */
export const Text = ({ children }: { children?: string }) =>
  (children ?? "")
    .split(MARK)
    .map((part, at) =>
      at % 2 === 0
        ? part.split("\n").map(showControls).join("\n")
        : html`<span class="lock" title=${part}>kept back</span>`,
    );

export function Fields({ texts, unlike }: { texts: LessonTexts; unlike?: LessonTexts }) {
  const fields = Object.entries(NAMES) as [keyof typeof NAMES, string][];
  return html`<dl>${fields.map(
    ([name, label]) =>
      texts[name] !== "" &&
      html`<dt>${label}</dt><dd dir="auto" class=${unlike && unlike[name] !== texts[name] ? "unlike" : name}><${Text}>${texts[name]}</${Text}></dd>`,
  )}</dl>`;
}

export const ProblemNote = ({ problem }: { problem: Problem }) =>
  html`<div class="empty" role="status"><p>${problem.message}</p><p class="dim">${problem.fix}</p></div>`;

export const Empty = ({ children }: { children?: ComponentChildren }) =>
  html`<div class="empty"><p>${children}</p></div>`;

/** Returns an instant as day and minute in local time. @param instant ISO 8601, or in ms since 1970. */
export function at(instant: string | number | undefined): {
  readonly day: string;
  readonly time: string;
} {
  const date = new Date(instant ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return { day: "undated", time: "" };
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return { day, time: `${two(date.getHours())}:${two(date.getMinutes())}` };
}

/** Scrolls an element into view. */
export function useInSight(selector: string, key: unknown): void {
  useEffect(() => document.querySelector(selector)?.scrollIntoView({ block: "nearest" }), [key]);
}

interface Search {
  readonly value: string;
  readonly label: string;
  readonly onInput: (text: string) => void;
}

export function SearchBox({ value, label, onInput }: Search) {
  const type = (event: InputEvent) => onInput((event.target as HTMLInputElement).value);
  return html`<input type="search" class="search" dir="auto" placeholder=${`${label}  /`} aria-label=${label} value=${value} onInput=${type} />`;
}

interface Rows<Row> {
  readonly rows: readonly Row[];
  /** The index of the row that must be in the list. -1 for none. */
  readonly chosen: number;
  readonly show: (row: Row) => unknown;
}

const FIRST_ROWS = 300;

/** A list of any length. It begins with the first rows, and a button adds more. */
export function LongList<Row>({ rows, chosen, show }: Rows<Row>) {
  const [most, setMost] = useState(FIRST_ROWS);
  const shown = Math.max(most, chosen + FIRST_ROWS);
  const left = rows.length - shown;
  return html`<ul class="plain">${rows.slice(0, shown).map((row) => html`<li>${show(row)}</li>`)}</ul>
    ${left > 0 && html`<button class="more" onClick=${() => setMost(shown + FIRST_ROWS)}>${left.toLocaleString("en")} more</button>`}`;
}
