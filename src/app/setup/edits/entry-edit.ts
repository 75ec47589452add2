import { isDeepStrictEqual } from "node:util";
import { type Client, type Entry, type Frame, holdsEntry } from "../../../ground/clients/client.ts";
import { SentinelError } from "../../../ground/core/errors.ts";
import type { Edit } from "./edit.ts";
import { isBlank, jsonFile, removeAt, setValue, unlessEmpty, valueAt } from "./json.ts";
import { addTable, removeTable, tableAt } from "./toml.ts";

/** The keys that lead to our entry: of the list of servers, and our name. */
type EntryPath = readonly [string, string];

/** How a client's configuration lists servers. */
interface Format {
  valueAt(text: string, at: EntryPath): unknown;
  /** @param text may be blank. */
  add(text: string, at: EntryPath, entry: Entry): string;
  /** Changes the keys of our entry, and keeps those that the user added. */
  update(text: string, at: EntryPath, entry: Entry): string;
  /** @returns undefined to delete the file. */
  remove(text: string, at: EntryPath): string | undefined;
}

const jsonFormat = (frame: Frame): Format => ({
  valueAt: (text, at) => (isBlank(text) ? undefined : valueAt(text, at)),
  add(text, at, entry) {
    if (!isBlank(text)) {
      return setValue(text, at, entry);
    }
    const [key, name] = at;
    return jsonFile({ ...frame, [key]: { [name]: entry } });
  },
  update(text, at, entry) {
    let result = text;
    for (const [key, value] of Object.entries(entry)) {
      const place = [...at, key];
      if (!isDeepStrictEqual(valueAt(text, place), value)) {
        result = setValue(result, place, value);
      }
    }
    return result;
  },
  remove: (text, at) => unlessEmpty(removeAt(text, at), frame),
});

const TOML: Format = {
  valueAt: tableAt,
  add: addTable,
  update: (text, at, entry) =>
    addTable(removeTable(text, at), at, { ...tableAt(text, at), ...entry }),
  remove(text, at) {
    const rest = removeTable(text, at);
    return isBlank(rest) ? undefined : rest;
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
    put(text = "", replaceOthers = false) {
      const present = format.valueAt(text, at);
      if (present === undefined) {
        return format.add(text, at, entry);
      }
      if (holdsEntry(present, entry)) {
        return text;
      }
      if (others.some((spelling) => holdsEntry(present, spelling))) {
        return format.update(text, at, entry);
      }
      if (replaceOthers) {
        return format.add(format.remove(text, at) ?? "", at, entry);
      }
      const found = JSON.stringify(present, null, 2);
      const what = `It has another entry named ${name}, which was left alone:\n${found}`;
      throw new SentinelError("entry_differs", what, "Call init with --force to replace it.");
    },
    take(text) {
      // A file without our name needn't be valid.
      const present = text.includes(name) ? format.valueAt(text, at) : undefined;
      if (present === undefined) {
        return text;
      }
      const spellings = [entry, ...others];
      if (!spellings.some((ours) => holdsEntry(present, ours))) {
        const what = `Its entry named ${name} is not one that init wrote, so it was left alone.`;
        throw new SentinelError("entry_differs", what, "To remove it, delete it by hand.");
      }
      return format.remove(text, at);
    },
  };
}
