/** Events and sessions as a person reads them in a terminal. Pure. Whatever a tool printed, no control character gets through. */
import { firstWords, plural } from "../../core/text.ts";
import type { Content, Event } from "../../events/event.ts";
import type { SessionSummary } from "../../events/projections/sessions.ts";
import { cut, type Page, safeLine, safeLines } from "./layout.ts";
import { LABEL_WIDTH } from "./records.ts";

const INDENT = "  ";
const MOST_FILES = 5;
/** What says most about an event, in this order. */
const TELLING = ["text", "excerpt_text", "decision", "title", "command", "path", "event", "input"];

/** An event in one line: its id, when, who, what. */
export function eventRow(event: Event, { width, colours }: Page): string {
  const when = event.ts.slice(11, 19);
  const head = `${event.id}  ${when}  ${kindOf(event).padEnd(15)}  `;
  const line = cut(`${head}${firstWords(aboutOf(event))}`, width);
  return line.startsWith(event.id) ? colours.yellow(event.id) + line.slice(event.id.length) : line;
}

/** An event with all of its fields. */
export function eventInFull(event: Event, { colours }: Page): string {
  const { id, ts, session, agent, actor, place, refs, tags, channel, sensitivity, content } = event;
  const facts = {
    kind: kindOf(event),
    at: ts,
    by: `${actor.id} (${actor.type})`,
    session,
    agent,
    branch: place?.branch ?? "",
    folder: place?.cwd ?? "",
    refs: refs.join(" "),
    tags: tags.join(" "),
    channel: sensitivity === "none" ? channel : `${channel}, sensitivity ${sensitivity}`,
    ...fieldsOf(content),
  };
  const rows = Object.entries(facts).filter(([, fact]) => fact !== "");
  const indent = " ".repeat(INDENT.length + LABEL_WIDTH);
  const label = (name: string) => colours.dim(`${safeLine(name).padEnd(LABEL_WIDTH - 1)} `);
  return [colours.yellow(id), ...rows.map(([name, fact]) => `${INDENT}${label(name)}${safeLines(fact, indent)}`)].join(
    "\n",
  );
}

/** A session in a line, and what came of it in another. */
export function sessionRows(summary: SessionSummary, { width, colours }: Page): string[] {
  const { session, agent, began, branches, request, title, plan, parent, files, tasks, commits } = summary;
  const named = files.slice(0, MOST_FILES).join(", ") + (files.length > MOST_FILES ? ", …" : "");
  const facts = [
    files.length > 0 ? `${plural(files.length, "file")} changed (${named})` : "",
    tasks.all > 0 ? `${tasks.done} of ${plural(tasks.all, "task")} done` : "",
    counted(summary.failures, "failure"),
    counted(summary.refusals, "refusal"),
    counted(summary.decisions, "decision"),
    commits.length > 0 ? `commits ${commits.join(" ")}` : "",
    counted(summary.subagents, "subagent"),
    counted(summary.compactions, "compaction"),
    parent === null ? "" : `goes on from ${parent}`,
    plural(summary.events, "event"),
  ].filter((fact) => fact !== "");
  const head = [began.slice(0, 16).replace("T", " "), safeLine(agent), safeLine(branches.join(" > "))].join("  ");
  const words = firstWords(title ?? plan ?? request ?? "(nothing was asked)");
  return [
    `${colours.yellow(safeLine(session))}  ${colours.dim(head)}`,
    cut(`${INDENT}${words}`, width),
    colours.dim(cut(`${INDENT}${safeLine(facts.join(" · "))}`, width)),
  ];
}

function kindOf({ kind, content, actor, agent }: Event): string {
  const subagent = agent.includes("/") ? " (subagent)" : "";
  if (kind === "message") return actor.type === "human" ? "you" : `agent${subagent}`;
  const tool = typeof content.tool === "string" ? ` ${content.tool}` : "";
  const outcome = typeof content.outcome === "string" ? ` ${content.outcome}` : "";
  return safeLine(`${KINDS[kind] ?? kind}${tool}${outcome}`);
}

const KINDS: Readonly<Record<string, string>> = { tool_call: "call", tool_result: "result", task_update: "task" };

function aboutOf({ content }: Event): string {
  const { tool: _, ...said } = content;
  const telling = TELLING.map((key) => said[key]).find((value) => value !== undefined && value !== "");
  return telling === undefined ? JSON.stringify(said) : typeof telling === "string" ? telling : JSON.stringify(telling);
}

function fieldsOf(content: Content): Record<string, string> {
  const texts = Object.entries(content).map(([key, value]) => [
    key,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return Object.fromEntries(texts);
}

function counted(count: number, noun: string): string {
  return count === 0 ? "" : plural(count, noun);
}
