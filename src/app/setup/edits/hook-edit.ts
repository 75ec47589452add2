import { isDeepStrictEqual } from "node:util";
import { type Frame, type HookTable, SERVER_NAME } from "../../../ground/clients/client.ts";
import { isHookCall } from "../../../ground/clients/hook-call.ts";
import { isOurHook, isSessionHook } from "../../../ground/clients/launch.ts";
import type { Edit, EditKind, Path } from "./edit.ts";
import { isBlank, jsonFile, removeAt, setValue, unlessEmpty, valueAt } from "./json.ts";

/** Returns the edit that adds our hook to several events of a hook file, next to hooks from other programs. */
export function hookLines(path: string, table: HookTable, frame: Frame = {}): Edit {
  return hookEdit(
    path,
    "hooks",
    table,
    frame,
    (hook) => isOurHook(hook.command) || isHookCall(hook),
  );
}

/** The hook that starts captures, at several events of a personal hook file. */
export function sessionHookLines(path: string, table: HookTable): Edit {
  return hookEdit(path, "record hooks", table, {}, ({ command }) => isSessionHook(command));
}

/** An item of an event's list: a hook, or a group of hooks with a matcher. */
interface Item {
  readonly command?: unknown;
  readonly hooks?: unknown;
}

type IsOurs = (hook: Item) => boolean;

function hookEdit(
  path: string,
  what: EditKind,
  table: HookTable,
  frame: Frame,
  isOurs: IsOurs,
): Edit {
  const events = Object.entries(table);
  return {
    path,
    what,
    put(given = "") {
      const text = isBlank(given) ? "{}" : given;
      const isCurrent = events.every(([event, ours]) =>
        itemsAt(text, event).some((item) => isDeepStrictEqual(item, ours)),
      );
      if (isCurrent && ourHooks(text, isOurs).length === events.length) {
        return text;
      }
      let result = unlessEmpty(withoutOurs(text, isOurs), frame);
      if (result === undefined) {
        const lists = events.map(([event, ours]) => [event, [ours]]);
        return jsonFile({ ...frame, hooks: Object.fromEntries(lists) });
      }
      // The last one first, because each becomes the first of its object.
      for (const [event, ours] of events.toReversed()) {
        result = setValue(result, ["hooks", event, 0], ours);
      }
      return result;
    },
    take(text) {
      // A file without our name needn't be valid.
      if (!text.includes(SERVER_NAME)) {
        return text;
      }
      const rest = withoutOurs(text, isOurs);
      return rest === text ? text : unlessEmpty(rest, frame);
    },
  };
}

function withoutOurs(text: string, isOurs: IsOurs): string {
  let rest = text;
  for (const path of ourHooks(text, isOurs)) {
    rest = removeAt(rest, path);
  }
  return rest;
}

/** Where our hooks are. The last comes first, so removing one doesn't move the others. */
function ourHooks(text: string, isOurs: IsOurs): Path[] {
  const hooks = valueAt(text, ["hooks"]);
  const events = typeof hooks === "object" && hooks !== null ? Object.keys(hooks) : [];
  const found: Path[] = [];
  for (const event of events) {
    const items = itemsAt(text, event);
    for (const [index, item] of items.entries()) {
      const inner = oursIn(item, isOurs);
      found.push(...inner.map((path) => ["hooks", event, index, ...path]));
    }
  }
  return found.reverse();
}

/** The places of our hooks in an item. The empty path if the item has no other hooks. */
function oursIn(item: Item, isOurs: IsOurs): Path[] {
  if (isOurs(item)) {
    return [[]];
  }
  const group = Array.isArray(item.hooks) ? item.hooks : [];
  const places: Path[] = [];
  for (const [index, hook] of group.entries()) {
    if (isOurs({ ...hook })) {
      places.push(["hooks", index]);
    }
  }
  return places.length > 0 && places.length === group.length ? [[]] : places;
}

function itemsAt(text: string, event: string): Item[] {
  const items = valueAt(text, ["hooks", event]);
  if (!Array.isArray(items)) {
    return [];
  }
  return items.map((item) => (typeof item === "object" && item !== null ? item : {}));
}
