import { isDeepStrictEqual } from "node:util";
import { type Client, type Entry, type Frame, holdsEntry } from "../../../ground/clients/client.ts";
import { SentinelError } from "../../../ground/core/errors.ts";
import type { Edit } from "./edit.ts";
import {
  addProperty,
  orFrame,
  partsOf,
  removeAt,
  replaceValue,
  unlessFrame,
  valueAt,
} from "./json.ts";
import { addTable, removeTable, tableAt } from "./toml.ts";

/** The keys that lead to an entry: of the servers, and of ours. A file that does not name ours is not even parsed for it. */
type EntryPath = readonly [string, string];

/** How entries stand in a file. */
interface Format {
  /** A file to put an entry into. */
  begun(text: string | undefined): string;
  valueAt(text: string, at: EntryPath): unknown;
  add(text: string, at: EntryPath, entry: Entry): string;
  /** Whether an entry is an earlier spelling of ours that can be brought up to date, with all that its user added. */
  isEarlier(present: unknown, other: Entry): boolean;
  /** @param earlier the spelling that is there, where it is ours. */
  replace(text: string, at: EntryPath, entry: Entry, earlier?: Entry): string;
  /** Undefined when nothing is left. */
  remove(text: string, at: EntryPath, before: string | undefined): string | undefined;
}

const jsonFormat = (frame: Frame): Format => ({
  begun: (text) => orFrame(text, frame),
  valueAt,
  add: addProperty,
  isEarlier: holdsEntry,
  replace(text, at, entry, earlier) {
    if (!earlier) return replaceValue(text, at, entry);
    // Both have the same keys.
    const changed = Object.entries(entry).filter(
      ([key, value]) => !isDeepStrictEqual(earlier[key], value),
    );
    return changed.reduce((rest, [key, value]) => replaceValue(rest, [...at, key], value), text);
  },
  remove: (text, at, before) => unlessFrame(removeAt(text, at, partsOf(before, frame)), frame),
});

const TOML: Format = {
  begun: (text = "") => text,
  valueAt: tableAt,
  add: addTable,
  isEarlier: isDeepStrictEqual,
  replace: (text, at, entry) => addTable(removeTable(text, at), at, entry),
  remove(text, at) {
    const rest = removeTable(text, at);
    return rest.trim() === "" ? undefined : rest;
  },
};

/** The format of a client's list of servers. */
export const formatOf = ({ format, frame = {} }: Client["server"]): Format =>
  format === "toml" ? TOML : jsonFormat(frame);

/** A server's entry. @param others how init has spelt it besides; such a one is brought up to date. */
export function entryEdit(
  path: string,
  at: EntryPath,
  entry: Entry,
  format: Format,
  others: readonly Entry[],
): Edit {
  return {
    path,
    what: "server",
    put(given, { replaceOthers = false } = {}) {
      const text = format.begun(given);
      const present = format.valueAt(text, at);
      if (present === undefined) return format.add(text, at, entry);
      if (holdsEntry(present, entry)) return text;
      const earlier = others.find((other) => format.isEarlier(present, other));
      if (!earlier && !replaceOthers) {
        const found = JSON.stringify(present, null, 2);
        const what = `It has another entry named ${at[1]}, which was left alone:\n${found}`;
        throw new SentinelError("entry_differs", what, "Call init with --force to replace it.");
      }
      return format.replace(text, at, entry, earlier);
    },
    take(text, { inManifest = false, before } = {}) {
      const present = text.includes(at[1]) ? format.valueAt(text, at) : undefined;
      if (present === undefined) return text;
      if (!inManifest && ![entry, ...others].some((ours) => holdsEntry(present, ours))) {
        const what = `Its entry named ${at[1]} is not one that init wrote, so it was left alone.`;
        throw new SentinelError("entry_differs", what, "To remove it, delete it by hand.");
      }
      return format.remove(text, at, before);
    },
  };
}
