/** Messages of opencode as our plugin hands them over, because opencode has its sessions in a database. Tested with version 1.18.33. */
import { fieldsOf, known, listOf, numberOf, textOf } from "./fields.ts";
import type { Fields } from "./transcript.ts";

/** Redacts the texts of a value. `message` is for text of the user or an agent, `tool` for everything else. */
export type RedactFields = (value: Fields, speech: "message" | "tool") => Fields;

/** Whether a message may be recorded. @param at its time in ms since 1970. */
type MayKeep = (at: number, session: string) => boolean;

/** The redacted lines for a spool. Ids, names and times aren't redacted. @param sent the plugin's `{session, messages}`, and the branch. */
export function spoolLines(sent: Fields, redact: RedactFields, mayKeep: MayKeep): string[] {
  const session = fieldsOf(sent.session);
  const id = textOf(session.id);
  const created = numberOf(fieldsOf(session.time).created);
  if (id === undefined || created === undefined) return [];
  const shared = known({
    session: plainId(id),
    parent: plainId(session.parentID),
    cwd: textOf(session.directory),
    branch: textOf(sent.branch),
    version: textOf(session.version),
  });
  const whose = plainId(session.parentID) ?? plainId(id) ?? id;
  const messages = listOf(sent.messages)
    .map((message) => messageOf(fieldsOf(message), redact))
    .filter(({ created: at }) => typeof at === "number" && mayKeep(at, whose));
  if (messages.length === 0) return [];
  return [{ id, created }, ...messages].map((line) => JSON.stringify({ ...shared, ...line }));
}

/** Adds a hyphen between the time and the random part of a session's id, which otherwise looks like a secret. */
const plainId = (id: unknown): string | undefined =>
  textOf(id)?.replace(/^(ses_[0-9a-f]{12})(?=\w)/, "$1-");

function messageOf({ info, parts }: Fields, redact: RedactFields): Fields {
  const { id, role, time, path, summary, error } = fieldsOf(info);
  return known({
    id: textOf(id),
    role: textOf(role),
    created: numberOf(fieldsOf(time).created),
    cwd: textOf(fieldsOf(path).cwd),
    isSummary: summary === true || undefined,
    error: textOf(fieldsOf(error).name),
    parts: listOf(parts).map((part) => partOf(fieldsOf(part), redact)),
  });
}

function partOf(
  { type, text, synthetic, callID, tool, state, mime, url }: Fields,
  redact: RedactFields,
): Fields {
  const { status, input, output, error, metadata } = fieldsOf(state);
  const { exit, sessionId } = fieldsOf(metadata);
  return {
    ...known({
      type: textOf(type),
      callID: textOf(callID),
      tool: textOf(tool),
      status: textOf(status),
      synthetic: synthetic === true || undefined,
      exit: numberOf(exit),
      childAgent: plainId(sessionId),
      mime: textOf(mime),
      bytes: typeof url === "string" ? url.length : undefined,
    }),
    ...redact(known({ text: type === "text" ? textOf(text) : undefined }), "message"),
    ...redact(known({ input, output: textOf(output), error: textOf(error) }), "tool"),
  };
}
