/** Small parts that all views use. Stored text is only used as the content of a text node, with its own text direction. */

import { html } from "htm/preact";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { showControls } from "../../../ground/core/text.ts";
import type { LessonTexts } from "../lessons.ts";
import type { Problem } from "./call.ts";

/** The labels of a lesson's texts. */
export const NAMES = {
  missing: "Was missing",
  lesson: "Lesson",
  ask: "Ask next time",
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
  /** The height of each row, in pixels. */
  readonly height: number;
  readonly chosen: number;
  readonly label: string;
  readonly show: (row: Row) => unknown;
}

const AROUND = 8;

/** A list of any length. Only visible rows are in the document. */
export function LongList<Row>({ rows, height, chosen, label, show }: Rows<Row>) {
  const box = useRef<HTMLDivElement>(null);
  const [[top, room], setSeen] = useState([0, 1_000]);
  const look = () => box.current && setSeen([box.current.scrollTop, box.current.clientHeight]);
  useEffect(() => {
    look();
    const watcher = new ResizeObserver(look);
    if (box.current) watcher.observe(box.current);
    return () => watcher.disconnect();
  }, []);
  useEffect(() => {
    const element = box.current;
    if (!element || chosen < 0) return;
    const start = chosen * height;
    if (start < element.scrollTop) element.scrollTop = start;
    else if (start + height > element.scrollTop + element.clientHeight)
      element.scrollTop = start + height - element.clientHeight;
  }, [chosen]);
  const first = Math.max(0, Math.floor(top / height) - AROUND);
  const last = Math.min(rows.length, Math.ceil((top + room) / height) + AROUND);
  const item = (row: Row, index: number) => {
    const style = { height: `${height}px`, transform: `translateY(${(first + index) * height}px)` };
    return html`<li key=${first + index} style=${style}>${show(row)}</li>`;
  };
  return html`<div class="long" ref=${box} onScroll=${look} tabindex="0" role="region" aria-label=${label}>
    <ul style=${{ height: `${rows.length * height}px` }}>${rows.slice(first, last).map(item)}</ul>
  </div>`;
}
