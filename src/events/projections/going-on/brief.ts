/** An event in brief: what going on needs to know of it, its texts cut. Most events have no brief. Pure. */
import { cutRedacted } from "../../../redaction/cut-redacted.ts";
import type { RedactedText } from "../../../redaction/redact.ts";
import type { Content, Event, Json } from "../../event.ts";
import { type BriefEvent, isOfChildAgent, isQuoted, textIn, textsIn, whoseOf } from "../brief-event.ts";
import { lastQuestion } from "../last-question.ts";
import { outcomeOf } from "../settling.ts";
import { pendingIn } from "../summary.ts";
import { supersededIn } from "../superseded.ts";

/** Characters that are kept of a text, by the field's name. */
const KEPT = {
  text: 700,
  title: 200,
  task: 200,
  status: 40,
  owner: 80,
  decision: 400,
  question: 300,
  plan: 200,
  ref: 100,
  note: 300,
  command: 300,
  path: 300,
  outcome: 40,
  settles: 100,
  child_agent: 100,
  child_task: 300,
  event: 40,
  reason: 40,
  quotes: 40,
  carries_out: 200,
} as const;
const MOST_SUPERSEDED = 20;
const MOST_OTHER_PATHS = 12;
/** Of what a command printed. */
const LINE_CHARACTERS = 200;
const LINES_LOOKED_AT = 10;
const WHY = /^(?:[\w.]*error|fatal|npm ERR!)\b/i;
const EXIT_CODE = /^Exit code \d+$/;
const WORKED_ON = ["command", "path", "outcome", "settles", "child_agent", "child_task"] as const;

/** Undefined where going on needs nothing of the event. */
export function briefOf(event: Event): BriefEvent | undefined {
  const content = event.sensitivity === "secret" ? undefined : contentOf(event);
  if (content === undefined) return undefined;
  const { id, ts, session, agent, actor, kind, refs, place } = event;
  const branch = place?.branch === undefined ? {} : { place: { branch: place.branch } };
  return { id, ts, session, agent, actor, kind, content, refs, ...branch, ...whoseOf(event) };
}

function contentOf(event: Event): Content | undefined {
  const { kind, content } = event;
  switch (kind) {
    case "message":
      return isOfChildAgent(event) ? undefined : messageOf(event);
    case "tool_call":
      return isOfChildAgent(event) && content.child_task === undefined ? undefined : callOf(content);
    case "tool_result":
      return resultOf(content);
    case "decision":
      return { ...kept(content, ["decision", "text", "question", "carries_out"]), ...superseding(content) };
    case "task_update":
      return kept(content, ["task", "title", "status", "owner"]);
    case "pin":
      return { ...kept(content, ["text", "ref", "note"]), ...flagged(content, "removed"), ...superseding(content) };
    case "summary":
      return { text: cut(pendingIn(textIn(content.text) ?? ""), KEPT.text) };
    case "session":
      return kept(content, ["event", "title", "child_agent", "reason"]);
    default:
      return undefined;
  }
}

/** A long one may end with a question, which its beginning does not hold. */
function messageOf({ actor, content }: Event): Content {
  const question =
    actor.type === "agent" && !isQuoted(content) ? lastQuestion(textIn(content.text) ?? "", KEPT.question) : undefined;
  return {
    ...kept(content, ["text", "quotes"]),
    ...flagged(content, "interrupted"),
    ...(question !== undefined && { question }),
  };
}

/** What a call lays before the person: its first question, or the title of a plan. */
function callOf(content: Content): Content {
  const { questions, plan } = fieldsOf(content.input);
  const question = Array.isArray(questions) ? fieldsOf(questions[0]).question : undefined;
  const title = textIn(plan)
    ?.split("\n", 1)[0]
    ?.replace(/^#+\s*/, "");
  return {
    ...kept(content, ["child_task"]),
    ...kept({ question: question ?? null, plan: title ?? null }, ["question", "plan"]),
  };
}

function fieldsOf(value: Json | undefined): { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Content) : {};
}

/** Of a result, on what the call worked and how it ended. */
function resultOf(content: Content): Content | undefined {
  const outcome = outcomeOf({ content });
  if (outcome === undefined && WORKED_ON.every((name) => content[name] === undefined)) return undefined;
  const line = content.command === undefined ? "" : lineOf(textIn(content.excerpt_text) ?? "", outcome);
  const flags = { ...flagged(content, "edits"), ...flagged(content, "goes_on") };
  const others = textsIn(content.other_paths ?? null).slice(0, MOST_OTHER_PATHS);
  return {
    ...kept(content, WORKED_ON),
    ...(others.length > 0 && { other_paths: others.map((path) => cut(path, KEPT.path)) }),
    ...flags,
    ...(outcome && { outcome }),
    ...(line !== "" && { line }),
  };
}

/** The first line that says more than that it failed; of a failure, the last one that says why. */
function lineOf(output: string, outcome: string | undefined): string {
  const lines = output.split("\n").map((line) => line.trim());
  const why = outcome === undefined ? undefined : lines.findLast((line) => WHY.test(line));
  const first = lines.slice(0, LINES_LOOKED_AT).find((line) => line !== "" && !EXIT_CODE.test(line));
  return cut(why ?? first ?? "", LINE_CHARACTERS);
}

function kept(content: Content, names: readonly (keyof typeof KEPT)[]): Content {
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = textIn(content[name]);
      return text === undefined ? [] : [[name, cut(text, KEPT[name])]];
    }),
  );
}

function superseding(content: Content): Content {
  const ids = supersededIn({ content });
  return ids.length === 0 ? {} : { supersedes: ids.slice(0, MOST_SUPERSEDED) };
}

function flagged(content: Content, name: string): Content {
  return content[name] === true ? { [name]: true } : {};
}

/** What is stored is redacted. */
function cut(text: string, most: number): string {
  return cutRedacted(text as RedactedText, most);
}
