/**
 * Which events in brief are kept: of each session the last of every sort that going on needs. What is kept of some events, with others
 * added, gives what is kept of all of them, so it does not matter in which pieces they arrive. Pure.
 */

import { type BriefEvent, inTime, isFromPerson, isOfChildAgent, pathsIn, sessionKey, textIn } from "../brief-event.ts";
import { isCommandAlone, isRealRequest } from "../requests.ts";
import { worksOf } from "../settling.ts";

/** A place in a list: of what has one name only the last is kept, and of the names only the last `most`. */
interface Slot {
  readonly list: string;
  readonly name: string;
  readonly most: number;
}

/** @param events in any order. @returns in order of time. */
export function keep(events: readonly BriefEvent[]): BriefEvent[] {
  const lists = new Map<string, Set<string>>();
  const newestFirst = inTime(events).reverse();
  return newestFirst
    .filter((event) => slotsOf(event).filter((slot) => take(slot, sessionKey(event), lists)).length > 0)
    .reverse();
}

function take({ list, name, most }: Slot, session: string, lists: Map<string, Set<string>>): boolean {
  const key = `${session} ${list}`;
  const names = lists.get(key) ?? new Set();
  lists.set(key, names);
  if (names.has(name) || names.size >= most) return false;
  names.add(name);
  return true;
}

/** When a session ended, and on which branch, its last event says. */
function slotsOf(event: BriefEvent): Slot[] {
  const hasBranch = event.place?.branch !== undefined;
  return [
    { list: "last", name: "", most: 1 },
    ...(hasBranch ? [{ list: "branch", name: "", most: 1 }] : []),
    ...slotsOfKind(event),
  ];
}

function slotsOfKind(event: BriefEvent): Slot[] {
  const { id, kind, content } = event;
  switch (kind) {
    case "message":
      if (!isFromPerson(event)) return [{ list: "reply", name: "", most: 1 }];
      if (content.interrupted === true) return [{ list: "stop", name: "", most: 1 }];
      return [{ list: sortOf(textIn(content.text) ?? ""), name: id, most: 2 }];
    case "tool_call":
      return [
        ...(isOfChildAgent(event) ? [] : [{ list: "call", name: "", most: 1 }]),
        ...(content.child_task === undefined ? [] : [{ list: "started", name: id, most: 20 }]),
      ];
    case "tool_result":
      return slotsOfResult(event);
    case "task_update": {
      const name = textIn(content.task) ?? id;
      const said = (["status", "title", "owner"] as const).filter((field) => content[field] !== undefined);
      return [
        ...said.map((field) => ({ list: `task ${field}`, name, most: 80 })),
        // One that refers to it is of its task, and nobody knows yet which one that will be.
        { list: kind, name: id, most: 80 },
      ];
    }
    case "decision":
    case "pin":
      return [{ list: kind, name: id, most: 40 }];
    case "summary":
      return [{ list: kind, name: "", most: 1 }];
    case "session":
      return [{ list: `session ${textIn(content.event)}`, name: textIn(content.child_agent) ?? "", most: 20 }];
    default:
      return [];
  }
}

function sortOf(request: string): string {
  if (isCommandAlone(request)) return "client's command";
  return isRealRequest(request) ? "request" : "short";
}

function slotsOfResult(event: BriefEvent): Slot[] {
  const { id, content, refs } = event;
  const works = content.outcome === undefined ? worksOf(textIn(content.command) ?? "") : [];
  const settles = textIn(content.settles);
  // A call that came to nothing touched no file, and must not take the place of one that did.
  const paths = content.outcome === undefined ? pathsIn(content) : [];
  const isCommand = content.command !== undefined && !isOfChildAgent(event);
  return [
    ...(isCommand ? [{ list: "command", name: id, most: 2 }] : []),
    ...(isCommand && content.outcome === "failed" ? [{ list: "failed", name: id, most: 8 }] : []),
    ...works.map((name) => ({ list: "works", name, most: 80 })),
    ...(content.outcome === undefined || content.outcome === "failed" ? [] : [{ list: "not done", name: "", most: 1 }]),
    ...(settles === undefined ? [] : [{ list: "settled", name: settles, most: 80 }]),
    ...paths.map((name) => ({ list: "file", name, most: 12 })),
    ...(content.edits === true ? paths.map((name) => ({ list: "edit", name, most: 12 })) : []),
    ...(content.child_task === undefined ? [] : [{ list: "answered", name: refs[0] ?? id, most: 40 }]),
  ];
}
