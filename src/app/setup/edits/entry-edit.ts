import { isDeepStrictEqual } from "node:util";
import { type Client, type Entry, type Frame, holdsEntry } from "../../../ground/clients/client.ts";
import { SentinelError } from "../../../ground/core/errors.ts";
import type { Created, Edit, Path } from "./edit.ts";
import { addProperty, orFrame, removeAt, replaceValue, unlessEmpty, valueAt } from "./json.ts";
import { addTable, removeTable, tableAt } from "./toml.ts";

/** The keys that lead to our entry: of the list of servers, and our name. */
type EntryPath = readonly [string, string];

/** How a client's configuration lists servers. */
interface Format {
  /** The containers that an entry needs. */
  containers(at: EntryPath): readonly Path[];
  /** The text to add an entry to. */
  begun(text: string | undefined): string;
  valueAt(text: string, at: EntryPath): unknown;
  add(text: string, at: EntryPath, entry: Entry): string;
  /** Whether an entry is one of our other spellings, so that `replace` keeps the user's additions. */
  isSpelling(present: unknown, other: Entry): boolean;
  /** @param other our spelling that is there. Undefined for an entry that isn't ours. */
  replace(text: string, at: EntryPath, entry: Entry, other?: Entry): string;
  /** @returns undefined to delete the file. */
  remove(text: string, at: EntryPath, created: Created): string | undefined;
}

const jsonFormat = (frame: Frame): Format => ({
  containers: ([key]) => [[], [key]],
  begun: (text) => orFrame(text, frame),
  valueAt,
  add: addProperty,
  isSpelling: holdsEntry,
  replace(text, at, entry, other) {
    if (!other) return replaceValue(text, at, entry);
    let result = text;
    for (const [key, value] of Object.entries(entry))
      if (!isDeepStrictEqual(other[key], value)) result = replaceValue(result, [...at, key], value);
    return result;
  },
  remove(text, at, created) {
    const rest = removeAt(text, at, created);
    return unlessEmpty(rest, frame, created);
  },
});

const TOML: Format = {
  containers: () => [],
  begun: (text = "") => text,
  valueAt: tableAt,
  add: addTable,
  isSpelling: isDeepStrictEqual,
  replace: (text, at, entry) => addTable(removeTable(text, at), at, entry),
  remove(text, at, created) {
    const rest = removeTable(text, at);
    return created.file && rest.trim() === "" ? undefined : rest;
  },
};

/** The format of a client's list of servers. */
export const formatOf = ({ format, frame = {} }: Client["server"]): Format =>
  format === "toml" ? TOML : jsonFormat(frame);

/** Our server's entry. @param others our other spellings of it, which `put` brings up to date. */
export function entryEdit(
  path: string,
  at: EntryPath,
  entry: Entry,
  format: Format,
  others: readonly Entry[],
): Edit {
  const name = at[1];
  return {
    path,
    what: "server",
    containers: format.containers(at),
    put(given, { replaceOthers = false } = {}) {
      const text = format.begun(given);
      const present = format.valueAt(text, at);
      if (present === undefined) return format.add(text, at, entry);
      if (holdsEntry(present, entry)) return text;
      const other = others.find((spelling) => format.isSpelling(present, spelling));
      if (!other && !replaceOthers) {
        const found = JSON.stringify(present, null, 2);
        const what = `It has another entry named ${name}, which was left alone:\n${found}`;
        throw new SentinelError("entry_differs", what, "Call init with --force to replace it.");
      }
      return format.replace(text, at, entry, other);
    },
    take(text, created) {
      // A file without our name needn't be valid.
      const present = text.includes(name) ? format.valueAt(text, at) : undefined;
      if (present === undefined) return text;
      const spellings = [entry, ...others];
      if (!spellings.some((ours) => holdsEntry(present, ours))) {
        const what = `Its entry named ${name} is not one that init wrote, so it was left alone.`;
        throw new SentinelError("entry_differs", what, "To remove it, delete it by hand.");
      }
      return format.remove(text, at, created);
    },
  };
}
