/** Formats events, sessions, decisions, tasks and pins for a terminal. Removes control characters from tool output. Pure. */
import { grouped, plural, present } from "../../ground/core/text.ts";
import { dateOf, minuteOf } from "../../ground/core/time.ts";
import { cut, type Page, safeLine, safeLines } from "../../ground/terminal/layout.ts";
import { LABEL_WIDTH } from "../../lessons/terminal/lessons.ts";
import {
  decisionThing,
  ofWhom,
  pinThing,
  refNow,
  shortIds,
  speakerLabel,
  type Thing,
  taskThing,
} from "../answers/render.ts";
import { type Content, type Event, shortEventId } from "../kinds/event.ts";
import { isOfChildAgent, isQuoted } from "../kinds/kind.ts";
import type { DecisionNow, EventNow } from "../projections/current-refs.ts";
import type { Pin } from "../projections/pins.ts";
import type { SessionNow } from "../projections/sessions.ts";
import type { Task } from "../projections/tasks.ts";
import type { FoundChunk, SearchHit } from "../store.ts";
import { aroundMatch } from "./around-match.ts";

const INDENT = "  ";
const MOST_FILES = 5;
/** The lines of a hit. Most are short, so this is about as much text as a paragraph. */
const MOST_LINES = 12;
const MOST_CHARACTERS = 300;
const MOST_FIELD_LINES = 20;
const MOST_FIELD_CHARACTERS = 2_000;
/** The most informative fields of an event, in order of preference. */
const TELLING = ["text", "excerpt_text", "decision", "title", "command", "path", "event", "input"];

/** The width of a row if the output has no width, as in a pipe. */
const WIDEST_ROW = 160;
/** Reads this many characters per visible one, because code can be mostly blanks. */
const MOST_BLANKS = 10;

/** An event in one line: short id, time, kind and text. */
export function eventRow(event: Event, { width, colours }: Page): string {
  const id = shortEventId(event.id);
  const head = `${id}  ${event.ts.slice(11, 19)}  ${labelOf(event).padEnd(15)}  `;
  const row = inRow(head, aboutOf(event), width);
  return colours.yellow(id) + row.slice(id.length);
}

/** As much text as fits in a row, with runs of blanks collapsed. */
function inRow(head: string, text: string, width: number): string {
  const room = Number.isFinite(width) ? width : WIDEST_ROW;
  const words = text.slice(0, MOST_BLANKS * room).replace(/\s+/g, " ");
  return cut(`${head}${safeLine(words)}`, room);
}

/** A hit: its place, the matching lines, and the events before and after it. @param replacedBy ids of events. */
export function hitRows(
  hit: SearchHit,
  query: string,
  replacedBy: readonly string[],
  page: Page,
): string[] {
  const { event, before, after } = hit;
  const { width, colours } = page;
  const where = [minuteOf(event.ts), event.agent, labelOf(event), event.session].map(safeLine);
  const status = replacedBy.length > 0 && `superseded by ${shortIds(replacedBy)}`;
  const room = Math.min(MOST_CHARACTERS, width - INDENT.length);
  const lines = aroundMatch(saidIn(hit), query, { mostLines: MOST_LINES, width: room });
  const beside = (side: string, one: FoundChunk) =>
    colours.dim(inRow(`${INDENT}${side}, ${labelOf(one.event)}: `, saidIn(one), width));
  return present(
    `${colours.yellow(event.id)}  ${colours.dim(present(...where, status).join("  "))}`,
    before && beside("before", before),
    ...lines.map((line) => `${INDENT}${line}`),
    after && beside("after", after),
  );
}

/** The text of a chunk without the tool's name at its beginning, which is shown separately. */
export function saidIn({ event, text }: FoundChunk): string {
  const name = event.kind === "tool_call" ? `${event.content.tool ?? ""}\n` : "";
  return text.startsWith(name) ? text.slice(name.length) : text;
}

/** An event with all its stored fields. Long ones are cut unless `shown` is "whole". */
export function eventFields(
  event: Event,
  { colours }: Page,
  { removed, replaced }: EventNow,
  shown: "whole" | "beginnings",
): string {
  const { actor, place, channel, sensitivity, content } = event;
  const facts = {
    kind: event.kind,
    at: event.ts,
    by: `${actor.id} (${actor.type})`,
    session: event.session,
    agent: event.agent,
    branch: place?.branch,
    folder: place?.cwd,
    refs: event.refs.map((ref) => refNow(ref, removed)).join(" "),
    tags: event.tags.join(" "),
    channel: sensitivity === "none" ? channel : `${channel}, sensitivity ${sensitivity}`,
    ...content,
    "superseded by": shortIds(replaced),
  };
  const indent = " ".repeat(INDENT.length + LABEL_WIDTH);
  const rows = Object.entries(facts).map(([name, fact = ""]) => {
    const label = colours.dim(`${safeLine(name).padEnd(LABEL_WIDTH - 1)} `);
    const text = shown === "whole" ? asText(fact) : beginningOf(asText(fact));
    return text && `${INDENT}${label}${safeLines(text, indent)}`;
  });
  return present(`${colours.yellow(event.id)}${ofWhom(event.person)}`, ...rows).join("\n");
}

/** The results of a session: its files, tasks, failures, decisions, commits and events. */
export function sessionFacts(summary: SessionNow): string[] {
  const { parent, files, tasks, failed, settled, commits, decisions, childAgents } = summary;
  const more = files.length > MOST_FILES ? ", …" : "";
  const named = files.slice(0, MOST_FILES).join(", ") + more;
  const later = settled > 0 ? `, ${grouped(settled)} settled` : "";
  return present(
    files.length > 0 && `${plural(files.length, "file")} changed (${named})`,
    tasks.all > 0 && `${tasks.done} of ${plural(tasks.all, "task")} done`,
    failed > 0 && `${grouped(failed)} failed${later}`,
    decisions > 0 && plural(decisions, "decision"),
    commits.length > 0 && `${commits.length === 1 ? "commit" : "commits"} ${commits.join(" ")}`,
    childAgents > 0 && plural(childAgents, "child agent"),
    parent !== null && `goes on from ${parent}`,
    plural(summary.events, "event"),
  );
}

/** A session: its times, request, last answer and results. */
export function sessionRows(summary: SessionNow, { width, colours }: Page): string[] {
  const { session, agent, person, branches, request, title, plan, answer, end } = summary;
  const by = `${agent}${ofWhom(person)}`;
  const head = present(spanOf(summary), by, branches.join(" > "), end).map(safeLine).join("  ");
  const words = title ?? plan ?? request ?? "(nothing was asked)";
  const [said = ""] = answer?.trimStart().split("\n", 1) ?? [];
  const facts = safeLine(sessionFacts(summary).join(" · "));
  return present(
    `${colours.yellow(safeLine(session))}  ${colours.dim(head)}`,
    inRow(INDENT, words, width),
    said && inRow(`${INDENT}> `, said, width),
    colours.dim(cut(`${INDENT}${facts}`, width)),
  );
}

/** A decision on a line, then a line for each fact. */
export function decisionRows(made: DecisionNow, page: Page): string[] {
  const thing = decisionThing(made);
  const facts = thing.facts.map(([name, value]) => {
    const label = page.colours.dim(`${name}:`);
    return cut(`${INDENT}${label} ${safeLine(value)}`, page.width);
  });
  return [thingRow(thing, thing.text, page), ...facts];
}

/** The width of the longest status and a space. */
const STATUS = "dropped ".length;

export function taskRow(task: Task, page: Page): string {
  const thing = taskThing(task);
  return thingRow(thing, `${task.status.padEnd(STATUS)}${withFacts(thing, ", ")}`, page);
}

export function pinRow(pin: Pin, page: Page): string {
  const thing = pinThing(pin);
  return thingRow(thing, withFacts(thing, "; "), page);
}

function withFacts({ text, facts }: Thing, separator: string): string {
  if (facts.length === 0) {
    return text;
  }
  const said = facts.map(([name, value]) => `${name} ${value}`.trim());
  return `${text} (${said.join(separator)})`;
}

/** Short id, date and text in one line. */
function thingRow({ id, ts }: Thing, text: string, { width, colours }: Page): string {
  const name = shortEventId(id);
  const room = width - name.length - 14;
  return `${colours.yellow(name)}  ${colours.dim(dateOf(ts))}  ${cut(safeLine(text), room)}`;
}

/** The start and end. The end's day appears only if it differs. */
function spanOf({ began, ended }: SessionNow): string {
  const from = minuteOf(began);
  const to = minuteOf(ended);
  const until = to === from ? "" : `–${to.startsWith(from.slice(0, 10)) ? to.slice(11) : to}`;
  return `${from}${until} UTC`;
}

/** Longer labels would leave no room for the text. */
const LABEL_ROOM = 30;

/** The author of an event, the tool of a call, or the kind of a quote. */
function labelOf(event: Event): string {
  const label = cut(safeLine(wholeLabel(event)), LABEL_ROOM);
  return isOfChildAgent(event) ? `${label} (child agent)` : label;
}

function wholeLabel(event: Event): string {
  const { kind, content, person } = event;
  if (kind === "tool_call") {
    return `${present("call", content.tool).join(" ")}${ofWhom(person)}`;
  }
  if (kind === "message" || !isQuoted(content)) {
    return speakerLabel(event);
  }
  return `${kind.replaceAll("_", " ")}${ofWhom(person)} quoting user`;
}

function aboutOf({ content }: Event): string {
  const { tool: _, ...said }: Content = content;
  const telling = TELLING.map((key) => said[key]).find((value) => Boolean(value));
  return asText(telling ?? said);
}

const asText = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);

function beginningOf(text: string): string {
  const characters = [...text.split("\n").slice(0, MOST_FIELD_LINES).join("\n")];
  const isLong = characters.length > MOST_FIELD_CHARACTERS;
  const shown = `${characters.slice(0, MOST_FIELD_CHARACTERS).join("")}${isLong ? "…" : ""}`;
  return shown === text ? text : `${shown}\n[… cut here: --full shows the whole text …]`;
}
