/** What happened to a lesson, as one line of a terminal. Pure. */
import { firstWords, plural } from "../../ground/core/text.ts";
import { cut, type Page, safeLine } from "../../ground/terminal/layout.ts";
import type { LifeEvent } from "../looking-back/life-events.ts";

const KIND_WIDTH = "removed by hand".length;

export function eventInLine(event: LifeEvent, { width, colours }: Page): string {
  const { kind, instant, id, lesson, sources, reason } = event;
  const time = Number.isFinite(instant) ? new Date(instant).toISOString().slice(0, 16).replace("T", " ") : "undated";
  const text = [
    lesson ? `${safeLine(lesson.topic)}: ${firstWords(lesson.lesson)}` : "(no text)",
    ...(sources > 0 ? [`from ${plural(sources, "lesson")}`] : []),
    ...(reason !== undefined ? [`(${safeLine(reason)})`] : []),
  ].join("  ");
  const start = `${time.padEnd(16)}  ${kind.padEnd(KIND_WIDTH)}  `;
  const name = safeLine(id).slice(0, 8);
  const from = originOf(event);
  const room = width - start.length - name.length - from.length - 4;
  return `${colours.dim(start)}${colours.yellow(name)}  ${cut(text, room)}  ${colours.dim(from)}`;
}

function originOf({ origin }: LifeEvent): string {
  return typeof origin === "string" ? `(${origin})` : `(${safeLine(origin.author)}, ${origin.hash})`;
}
