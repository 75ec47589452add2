import { isDeepStrictEqual } from "node:util";
import type { Entry, Frame } from "../../../ground/clients/client.ts";
import { holdsEntry } from "../../../ground/clients/entry.ts";
import { SentinelError } from "../../../ground/core/errors.ts";
import type { Edit } from "./edit.ts";
import { addProperty, removeAt, replaceValue, valueAt } from "./json.ts";
import { isBlank, orFrame, partsOf, unlessFrame } from "./json-frame.ts";
import { addTable, removeTable, tableAt } from "./toml.ts";

/** The keys that lead to an entry: of the servers, and of ours. A file that does not name ours is not even parsed for it. */
type EntryPath = readonly [string, string];

/**
 * A server's entry in a JSON file.
 *
 * @param frame what a file that holds nothing else begins with.
 * @param others how init has spelt the entry besides; such a one is brought up to date, and what its user added to it stays.
 */
export function jsonEntry(
  path: string,
  at: EntryPath,
  entry: Entry,
  frame: Frame = {},
  others: readonly Entry[] = [],
): Edit {
  return {
    path,
    what: "server",
    put(given, { replaceOthers = false } = {}) {
      const text = orFrame(given, frame);
      const present = valueAt(text, at);
      if (present === undefined) return addProperty(text, at, entry);
      if (holdsEntry(present, entry)) return text;
      const earlier = others.find((other) => holdsEntry(present, other));
      if (earlier) return updated(text, at, earlier, entry);
      if (!replaceOthers) throw differs(at[1], present);
      return replaceValue(text, at, entry);
    },
    take(text, { inManifest = false, before } = {}) {
      const present = !isBlank(text) && text.includes(at[1]) ? valueAt(text, at) : undefined;
      if (present === undefined) return text;
      if (!inManifest && ![entry, ...others].some((ours) => holdsEntry(present, ours))) throw notOurs(at[1]);
      return unlessFrame(removeAt(text, at, partsOf(before, frame)), frame);
    },
  };
}

/** A server's entry in a TOML file. */
export function tomlEntry(path: string, at: EntryPath, entry: Entry, others: readonly Entry[] = []): Edit {
  return {
    path,
    what: "server",
    put(text = "", { replaceOthers = false } = {}) {
      const present = tableAt(text, at);
      if (present === undefined) return addTable(text, at, entry);
      if (holdsEntry(present, entry)) return text;
      const isOurs = others.some((other) => isDeepStrictEqual(present, other));
      if (!isOurs && !replaceOthers) throw differs(at[1], present);
      return addTable(removeTable(text, at), at, entry);
    },
    take(text, { inManifest = false } = {}) {
      const present = text.includes(at[1]) ? tableAt(text, at) : undefined;
      if (present === undefined) return text;
      if (!inManifest && ![entry, ...others].some((ours) => holdsEntry(present, ours))) throw notOurs(at[1]);
      const rest = removeTable(text, at);
      return rest.trim() === "" ? undefined : rest;
    },
  };
}

/** The text with those values replaced in which two spellings of an entry differ; both have the same keys. */
function updated(text: string, at: EntryPath, from: Entry, to: Entry): string {
  const changed = Object.entries(to).filter(([key, value]) => !isDeepStrictEqual(from[key], value));
  return changed.reduce((rest, [key, value]) => replaceValue(rest, [...at, key], value), text);
}

function differs(name: string, present: unknown): SentinelError {
  return new SentinelError(
    "entry_differs",
    `It has another entry named ${name}, which was left alone:\n${JSON.stringify(present, null, 2)}`,
    "Call init with --force to replace it.",
  );
}

function notOurs(name: string): SentinelError {
  return new SentinelError(
    "entry_differs",
    `Its entry named ${name} is not one that init wrote, so it was left alone.`,
    "Take it out by hand if it should go.",
  );
}
