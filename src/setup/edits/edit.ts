/**
 * A part that init puts into a file: how it goes in and how it comes out again. Text in, text out.
 *
 * Both leave what is not ours as it is, and throw a SentinelError where they cannot tell.
 */
import { isDeepStrictEqual } from "node:util";
import type { Entry } from "../../clients/clients.ts";
import { type HookTable, isOurHook } from "../../clients/hooks.ts";
import { SentinelError } from "../../core/errors.ts";
import { holdsEntry } from "../server-entry.ts";
import { addItem, addProperty, isBlank, removeAt, replaceValue, valueAt } from "./json.ts";
import { markedBlock, putBlock, takeBlock } from "./marked-block.ts";
import { addTable, removeTable, tableAt } from "./toml.ts";

type Frame = Readonly<Record<string, unknown>>;

export interface Part {
  /** From the project's folder, with forward slashes. */
  readonly path: string;
  /** What it is, for people. */
  readonly what: string;
  /** The text with the part in it. @param text undefined when there is no file yet. */
  put(text: string | undefined, replaceOthers: boolean): string;
  /**
   * The text without the part; undefined when nothing is left that anybody would miss.
   *
   * @param noted whether init has a note that it wrote the file. What another hand wrote under our name is only taken then.
   */
  take(text: string, noted: boolean): string | undefined;
}

/**
 * A server's entry in a JSON file.
 *
 * @param frame what a file that holds nothing else begins with.
 * @param earlier as another version spelt the entry; it is brought up to date, and what its user added to it stays.
 */
export function jsonEntry(
  path: string,
  at: readonly [string, string],
  entry: Entry,
  frame: Frame = {},
  earlier: Entry = entry,
): Part {
  return {
    path,
    what: "server",
    put(given, replaceOthers) {
      const text = given?.trim() ? given : framed(frame);
      const present = valueAt(text, at);
      if (present === undefined) return addProperty(text, at, entry);
      if (holdsEntry(present, entry)) return text;
      if (holdsEntry(present, earlier)) return updated(text, at, earlier, entry);
      if (!replaceOthers) throw differs(at[1], JSON.stringify(present, null, 2));
      return replaceValue(text, at, entry);
    },
    take(text, noted) {
      const present = valueAt(text, at);
      if (present === undefined) return text;
      if (!noted && !holdsEntry(present, entry) && !holdsEntry(present, earlier)) throw anothers(at[1]);
      return unlessFrame(removeAt(text, at), frame);
    },
  };
}

/** A server's entry in a TOML file. */
export function tomlEntry(path: string, at: readonly [string, string], entry: Entry): Part {
  return {
    path,
    what: "server",
    put(text = "", replaceOthers) {
      const present = tableAt(text, at);
      if (present === undefined) return addTable(text, at, entry);
      if (holdsEntry(present, entry)) return text;
      if (!replaceOthers) throw differs(at[1], JSON.stringify(present, null, 2));
      return addTable(removeTable(text, at), at, entry);
    },
    take(text, noted) {
      const present = tableAt(text, at);
      if (present === undefined) return text;
      if (!noted && !holdsEntry(present, entry)) throw anothers(at[1]);
      const rest = removeTable(text, at);
      return rest.trim() === "" ? undefined : rest;
    },
  };
}

/** Our line at several events of a hook file, beside whatever else is run there. */
export function hookEntries(path: string, table: HookTable, frame: Frame): Part {
  return {
    path,
    what: "hooks",
    put(given) {
      const text = given?.trim() ? given : framed(frame);
      const events = Object.entries(table);
      const isCurrent = ([event, entry]: readonly [string, object]) =>
        itemsAt(text, event).some((item) => isDeepStrictEqual(item, entry));
      if (events.every(isCurrent) && ourHooks(text).length === events.length) return text;
      return events.reduce((result, [event, entry]) => addItem(result, ["hooks", event], entry), takeHooks(text));
    },
    take(text) {
      const rest = takeHooks(text);
      return rest === text ? text : unlessFrame(rest, frame);
    },
  };
}

/** A marked block in a text file. @param head what a file that holds nothing else begins with. */
export function textBlock(path: string, content: string, head = ""): Part {
  return {
    path,
    what: "rules",
    put: (text = head) => putBlock(text, markedBlock(content)),
    take(text) {
      const rest = takeBlock(text);
      return rest !== text && unixLines(rest).trim() === head.trim() ? undefined : rest;
    },
  };
}

/** A whole file, written where there is none, and never changed after. */
export function newFile(path: string, content: string, what: string): Part {
  return {
    path,
    what,
    put: (text = content) => text,
    take: (text) => (unixLines(text) === content ? undefined : text),
  };
}

/** The text with what differs between two spellings of an entry; both have the same keys. */
function updated(text: string, at: readonly [string, string], from: Entry, to: Entry): string {
  const changed = Object.entries(to).filter(([key, value]) => !isDeepStrictEqual(from[key], value));
  return changed.reduce((rest, [key, value]) => replaceValue(rest, [...at, key], value), text);
}

function framed(frame: Frame): string {
  return `${JSON.stringify(frame, null, 2)}\n`;
}

function unlessFrame(text: string, frame: Frame): string | undefined {
  return isBlank(text) || unixLines(text) === framed(frame) ? undefined : text;
}

/** As git checks it out on Windows, a file of ours still is one. */
function unixLines(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function differs(name: string, present: string): SentinelError {
  return new SentinelError(
    "entry_differs",
    `It has another entry named ${name}, which was left alone:\n${present}`,
    "Call init with --force to replace it.",
  );
}

function anothers(name: string): SentinelError {
  return new SentinelError(
    "entry_differs",
    `Its entry named ${name} is not one that init wrote, so it was left alone.`,
    "Take it out by hand if it should go.",
  );
}

type HookPath = (string | number)[];

/** Where our lines are, last first, so that taking one out does not move the others. */
function ourHooks(text: string): HookPath[] {
  const hooks = valueAt(text, ["hooks"]);
  const events = typeof hooks === "object" && hooks !== null ? Object.keys(hooks) : [];
  return events.flatMap((event) =>
    itemsAt(text, event)
      .flatMap((item, index): HookPath[] => {
        if (isOurHook(item.command)) return [["hooks", event, index]];
        const inner = Array.isArray(item.hooks) ? item.hooks : [];
        if (inner.length > 0 && inner.every((hook) => isOurHook(hook?.command))) return [["hooks", event, index]];
        return inner.flatMap((hook, at) => (isOurHook(hook?.command) ? [["hooks", event, index, "hooks", at]] : []));
      })
      .reverse(),
  );
}

function itemsAt(text: string, event: string): { command?: unknown; hooks?: unknown }[] {
  const items = valueAt(text, ["hooks", event]);
  return Array.isArray(items) ? items.map((item) => (typeof item === "object" && item !== null ? item : {})) : [];
}

function takeHooks(text: string): string {
  return ourHooks(text).reduce((rest, path) => removeAt(rest, path), text);
}
