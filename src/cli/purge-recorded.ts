/** Takes events out of the record for good. */
import { SentinelError } from "../core/errors.ts";
import { plural } from "../core/text.ts";
import type { Purged, PurgeTarget } from "../events/store.ts";
import type { CommandContext } from "./command.ts";
import { openRecord } from "./project-record.ts";

const CANNOT_BE_UNDONE = "A purge cannot be undone, and nobody can be asked here.";

/** @throws SentinelError `not_found`, `not_recorded`, `newer_format`. */
export async function purgeRecorded(
  context: CommandContext,
  target: PurgeTarget,
  { yes }: { readonly yes?: boolean },
): Promise<void> {
  const { terminal, openEvents } = context;
  const { folder, isWritable } = await openRecord(context);
  if (!isWritable)
    throw new SentinelError(
      "newer_format",
      "A newer release made this record; nothing was purged.",
      "Update sentinel-memory in this project.",
    );
  const store = openEvents(folder);
  const doomed = await store.toPurge(target);
  if (doomed.events === 0) throw nothingThere();
  if (!yes && !(await terminal.mustConfirm(`Remove ${inWords(doomed)} for good?`, CANNOT_BE_UNDONE))) return;
  const purged = await store.purge(target);
  terminal.print(
    [
      `Purged: ${inWords(purged)}. No capture brings them back.`,
      "The client's own transcript still holds what it said, until the client removes it.",
    ].join("\n"),
  );
}

function inWords({ events, kinds, artifacts, damaged }: Purged): string {
  const named = Object.entries(kinds).map(([kind, count]) => `${kind} ${count}`);
  return [
    `${plural(events, "event")} (${named.join(", ")})`,
    ...(artifacts > 0 ? [plural(artifacts, "artifact")] : []),
    ...(damaged > 0 ? [`${plural(damaged, "damaged line")} of the same days, which nobody can read`] : []),
  ].join(", ");
}

function nothingThere(): SentinelError {
  return new SentinelError(
    "not_found",
    "Nothing in the record is meant by that; nothing was changed.",
    "Give an id that sentinel-memory history shows, a session's whole id, or --text with words that stand in it.",
  );
}
