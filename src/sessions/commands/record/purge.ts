import { SentinelError } from "../../../ground/core/errors.ts";
import { isEventName } from "../../terminal/named-event.ts";
import { purgeRecorded } from "../../terminal/purge-recorded.ts";
import type { AddSessionCommand } from "../../terminal/session-command.ts";

export const addPurge: AddSessionCommand = (record, open) => {
  record
    .command("purge")
    .description("remove an event, a session, or all events that hold a text, permanently")
    .argument("[id]", "evt_..., or a part of it; or a session's id, or its beginning")
    .option("--text <text>", "instead of an id, remove all events that hold this text")
    .option("--yes", "do not ask")
    .action((id, { text, ...options }) => {
      if ((id === undefined) === (text === undefined)) throw oneOfThem();
      const named = text !== undefined ? { text } : isEventName(id) ? { event: id } : { session: id };
      return purgeRecorded(open(), named, options);
    });
};

function oneOfThem(): SentinelError {
  const fix = "Give an id, or --text TEXT. A lesson: sentinel-memory purge ID.";
  return new SentinelError("bad_argument", "A purge takes one thing: an id or a text.", fix);
}
