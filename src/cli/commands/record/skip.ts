import { pastSessions } from "../../../capture/past-sessions.ts";
import { SentinelError } from "../../../core/errors.ts";
import { plural } from "../../../core/text.ts";
import { skipSession } from "../../../project/record/change-record.ts";
import { homeOf } from "../../../project/record/record-id.ts";
import type { AddCommand, CommandContext } from "../../command.ts";
import { lookForRecord, openRecord, readersOf } from "../../project-record.ts";
import { safeLine } from "../../terminal/layout.ts";

/** In which Claude Code names the session to what it runs. */
const SESSION_VARIABLE = "CLAUDE_CODE_SESSION_ID";

export const addSkip: AddCommand = (record, open) => {
  record
    .command("skip")
    .description("leave a session out for good: what is recorded of it goes, and nothing more of it comes")
    .argument("[session]", "its id (default: the session that runs here, else the one that was written to last)")
    .action((session) => skip(open(), session));
};

async function skip(context: CommandContext, named: string | undefined): Promise<void> {
  const { terminal, openEvents } = context;
  const record = await openRecord(context);
  const session = named ?? context.env[SESSION_VARIABLE] ?? (await newestSession(context));
  await skipSession(record, session);
  const { events } = await openEvents(record.folder).purge({ session });
  terminal.print(
    `Left out for good: session ${safeLine(session)}; ${plural(events, "event")} of it removed. The client's own transcript stays where it is.`,
  );
}

/** @throws SentinelError `not_found`. */
async function newestSession(context: CommandContext): Promise<string> {
  const { places } = await lookForRecord(context);
  const [newest] = await pastSessions(await homeOf(context.project.folder), readersOf(places));
  if (newest) return newest.session;
  throw new SentinelError(
    "not_found",
    "No session of this project is known on this machine; nothing was changed.",
    "Name it: sentinel-memory record skip SESSION",
  );
}
