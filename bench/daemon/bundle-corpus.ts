/** A session log of any size for the bench of bundles: the texts of the index's corpus, as requests, replies, calls, results and decisions. */
import {
  type Content,
  type EventDraft,
  eventId,
  identityFrom,
} from "../../src/sessions/kinds/event.ts";
import { corpusEvent } from "../support/index-corpus.ts";

/** A request with what follows it. */
const TURN = 20;
const TASKS = 50;
const DECISIONS = 400;
/** What these refer to lies long back, as with pins that were made at the beginning of a project. */
const PINS: ReadonlySet<number> = new Set([1_000, 3_000, 5_000]);
const FILES = 400;
const CALL_CHARACTERS = 120;

export function bundleEvent(number: number): EventDraft {
  const event = corpusEvent(number);
  return { ...event, ...saidIn(number, String(event.content.text)) };
}

type Said = Pick<EventDraft, "actor" | "kind" | "content">;

function saidIn(number: number, text: string): Said {
  const agent = { type: "agent", id: "claude-code" } as const;
  const short = text.slice(0, CALL_CHARACTERS);
  if (PINS.has(number)) {
    return { actor: agent, kind: "pin", content: { text: short, ref: idOf(number - 100) } };
  }
  if (number % DECISIONS === 5) {
    return { actor: agent, kind: "decision", content: { decision: short, rationale: [text] } };
  }
  if (number % TASKS === 7) {
    const status = number % (5 * TASKS) === 7 ? "open" : "done";
    return {
      actor: agent,
      kind: "task_update",
      content: { task: `task ${number}`, title: short, status },
    };
  }
  if (number % TURN === 0) {
    return { actor: { type: "human", id: "user" }, kind: "message", content: { text } };
  }
  if (number % TURN === 1 || number % TURN === 11) {
    return { actor: agent, kind: "message", content: { text } };
  }
  const call = number - (number % 2);
  const worked = workedOn(call);
  if (number === call) {
    return {
      actor: agent,
      kind: "tool_call",
      content: { ...worked, input: { description: short } },
    };
  }
  return {
    actor: { type: "tool", id: `tool.${worked.tool}` },
    kind: "tool_result",
    content: { ...worked, text },
  };
}

function workedOn(call: number): Content {
  if (call % 3 === 0) {
    return { tool: "Bash", command: `npm test -- part${call % 17}` };
  }
  const path = `src/part${call % 23}/file${(call * 7) % FILES}.ts`;
  return call % 3 === 1 ? { tool: "Read", path } : { tool: "Edit", path, edits: true };
}

function idOf(number: number): string {
  const { ts = "", origin = "" } = corpusEvent(number);
  return eventId(Date.parse(ts), identityFrom(origin));
}
