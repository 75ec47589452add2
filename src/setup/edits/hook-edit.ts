/** Our line in a client's hook file, as an edit. */
import { isDeepStrictEqual } from "node:util";
import type { Frame, HookTable } from "../../clients/client.ts";
import { isOurHook } from "../../clients/launch.ts";
import type { Edit } from "./edit.ts";
import { addItem, type Path, removeAt, valueAt } from "./json.ts";
import { orFrame, partsOf, unlessFrame } from "./json-frame.ts";

/** Our line at several events of a hook file, beside those of others. */
export function hookLines(path: string, table: HookTable, frame: Frame = {}): Edit {
  return {
    path,
    what: "hooks",
    put(given) {
      const text = orFrame(given, frame);
      const events = Object.entries(table);
      const isCurrent = ([event, entry]: readonly [string, object]) =>
        itemsAt(text, event).some((item) => isDeepStrictEqual(item, entry));
      if (events.every(isCurrent) && ourLines(text).length === events.length) return text;
      return events.reduce((result, [event, entry]) => addItem(result, ["hooks", event], entry), withoutOurs(text));
    },
    take(text, { before } = {}) {
      if (!isOurHook(text)) return text;
      const rest = withoutOurs(text, partsOf(before, frame));
      return rest === text ? text : unlessFrame(rest, frame);
    },
  };
}

function withoutOurs(text: string, isKept?: (path: Path) => boolean): string {
  return ourLines(text).reduce((rest, path) => removeAt(rest, path, isKept), text);
}

type LinePath = (string | number)[];

/** Where our lines are, last first, so that taking one out does not move the others. */
function ourLines(text: string): LinePath[] {
  const hooks = valueAt(text, ["hooks"]);
  const events = typeof hooks === "object" && hooks !== null ? Object.keys(hooks) : [];
  return events.flatMap((event) =>
    itemsAt(text, event)
      .flatMap((item, index): LinePath[] => {
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
