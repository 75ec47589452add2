import { isDeepStrictEqual } from "node:util";
import type { Frame, HookTable } from "../../../ground/clients/client.ts";
import { isHookCall } from "../../../ground/clients/hook-call.ts";
import { isOurHook, isSessionHook } from "../../../ground/clients/launch.ts";
import type { Edit, EditKind } from "./edit.ts";
import {
  addItem,
  isBlank,
  orFrame,
  type Path,
  partsOf,
  removeAt,
  unlessFrame,
  valueAt,
} from "./json.ts";

/** Our line at several events of a hook file, beside those of others. */
export function hookLines(path: string, table: HookTable, frame: Frame = {}): Edit {
  return linesOf(
    path,
    "hooks",
    table,
    frame,
    (hook) => isOurHook(hook.command) || isHookCall(hook),
  );
}

/** The line that starts captures, at several events of a person's own hook file. */
export function sessionHookLines(path: string, table: HookTable): Edit {
  return linesOf(path, "record hooks", table, {}, ({ command }) => isSessionHook(command));
}

interface Item {
  readonly command?: unknown;
  readonly hooks?: unknown;
}

type IsOurs = (hook: Item) => boolean;

/** A file without these names holds no hook of ours, and is not parsed. */
const NAMES_OURS = /sentinel-memory/;

function linesOf(
  path: string,
  what: EditKind,
  table: HookTable,
  frame: Frame,
  isOurs: IsOurs,
): Edit {
  return {
    path,
    what,
    put(given) {
      const text = orFrame(given, frame);
      const events = Object.entries(table);
      const isCurrent = ([event, entry]: readonly [string, object]) =>
        itemsAt(text, event).some((item) => isDeepStrictEqual(item, entry));
      if (events.every(isCurrent) && ourLines(text, isOurs).length === events.length) return text;
      return events.reduce(
        (result, [event, entry]) => addItem(result, ["hooks", event], entry),
        withoutOurs(text, isOurs),
      );
    },
    take(text, { before } = {}) {
      if (isBlank(text) || !NAMES_OURS.test(text)) return text;
      const rest = withoutOurs(text, isOurs, partsOf(before, frame));
      return rest === text ? text : unlessFrame(rest, frame);
    },
  };
}

function withoutOurs(text: string, isOurs: IsOurs, isKept?: (path: Path) => boolean): string {
  return ourLines(text, isOurs).reduce((rest, path) => removeAt(rest, path, isKept), text);
}

type LinePath = (string | number)[];

/** Where our lines are, last first, so that taking one out does not move the others. */
function ourLines(text: string, isOurs: IsOurs): LinePath[] {
  const hooks = valueAt(text, ["hooks"]);
  const events = typeof hooks === "object" && hooks !== null ? Object.keys(hooks) : [];
  return events.flatMap((event) =>
    itemsAt(text, event)
      .flatMap((item, index): LinePath[] => {
        if (isOurs(item)) return [["hooks", event, index]];
        const inner = Array.isArray(item.hooks) ? item.hooks : [];
        if (inner.length > 0 && inner.every((hook) => isOurs({ ...hook })))
          return [["hooks", event, index]];
        return inner.flatMap((hook, at) =>
          isOurs({ ...hook }) ? [["hooks", event, index, "hooks", at]] : [],
        );
      })
      .reverse(),
  );
}

function itemsAt(text: string, event: string): Item[] {
  const items = valueAt(text, ["hooks", event]);
  return Array.isArray(items)
    ? items.map((item) => (typeof item === "object" && item !== null ? item : {}))
    : [];
}
