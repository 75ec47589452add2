/** Turns errors of PostgreSQL and the network into errors with a fix. */
import { type ErrorCode, SentinelError } from "../../ground/core/errors.ts";

const START_IT = "Start the database, or correct its address, then call again.";
const WAIT_FOR_IT = "It is starting or stopping: call again when it has started.";
const GIVE_PASSWORD =
  "Name it in the address, as postgres://ROLE:PASSWORD@HOST/DATABASE, in PGPASSWORD or in ~/.pgpass, then call again.";
export const USE_PRIMARY = "Use the primary of this database, which can be written.";
export const MIGRATE =
  "As the role that owns the database, run sentinel-memory daemon migrate: it creates the schema.";

/** A schema, a table, a function or a column is missing. */
const NO_SCHEMA = /^(?:3F000|42P01|42883|42703)/;
const NOT_ALLOWED = "42501";
/** Raised by the functions in schema.sql, with their message. */
const REFUSED = /^SN/;

/** Error codes by the start of PostgreSQL's code. The first two of its five characters are the class. */
const CODES: readonly (readonly [code: RegExp, as: ErrorCode, fix: string])[] = [
  [
    /^08P01/,
    "database_unreachable",
    "If a pooler is in front of the database, set it up as in docs/daemon-operations.md.",
  ],
  [/^57P03/, "database_unreachable", WAIT_FOR_IT],
  [
    /^(?:ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EHOST|ENET|EPIPE|08|57P|3D000)/,
    "database_unreachable",
    START_IT,
  ],
  [
    /^53300/,
    "database_unreachable",
    "The database has no connection left: allow it more, or use fewer.",
  ],
  [/^no answer/, "database_unreachable", "See what keeps it, then call again."],
  [
    /^none free/,
    "database_unreachable",
    "See whether the database answers; if it does, call again with less at once.",
  ],
  [/^no password/, "database_unreachable", GIVE_PASSWORD],
  [/^28/, "database_unreachable", "Correct the name or the password of the role, then call again."],
  [/^53100/, "disk_full", "Free some space on the disk of the database and call again."],
  [/^25006/, "read_only", USE_PRIMARY],
  [/^(?:57014|40001|40P01|55P03)/, "cancelled", "Call again."],
  [/^SN001/, "unauthorised", "Ask the daemon's operator."],
  [
    /^SN002/,
    "not_allowed",
    "Give your session another name. To leave a session out of captures: sentinel-memory sessions skip SESSION.",
  ],
  [NO_SCHEMA, "schema_outdated", MIGRATE],
  [/^42501/, "role_refused", "Make the role of this process a member of sentinel_app."],
];
/** Matches codes of PostgreSQL, of the network, and of this file. */
const FROM_OUTSIDE = /^(?:[0-9A-Z]{5}|E(?!RR_)[A-Z_]+|no[a-z ]+)$/;
const NETWORK = /^E[A-Z_]+$/;
/** Messages of the driver without a code. `none free` means that a call waited too long for a connection of the pool. */
const WITHOUT_CODE: readonly (readonly [message: RegExp, as: string])[] = [
  [/client password must be a/i, "no password"],
  [/timeout exceeded when trying to connect/i, "none free"],
  [/query read timeout|due to connection timeout/i, "no answer"],
  [/connection terminated|client has encountered a connection/i, "ECONNRESET"],
];

/** Returns a database error without the values that it quotes. Other errors are returned unchanged. @param doing like "Reading the session log". */
export function databaseError(
  error: unknown,
  failed: "read_failed" | "write_failed",
  doing: string,
): unknown {
  if (error instanceof SentinelError) return error;
  const code = codeOf(error);
  if (!FROM_OUTSIDE.test(code)) return error;
  const [, as, fix] = CODES.find(([pattern]) => pattern.test(code)) ?? [
    undefined,
    failed,
    "Look into the log of the database, then call again.",
  ];
  return new SentinelError(as, `${doing}: ${saidBy(code, error)}.`, fix, { cause: error });
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if ("code" in error && error.code !== undefined) return String(error.code);
  return WITHOUT_CODE.find(([message]) => message.test(error.message))?.[1] ?? "";
}

/** Returns a handler for a failed statement of the owner's role. @param doing the failed action. */
export function ownersFailure(doing: string): (error: unknown) => never {
  return (error) => {
    if (codeOf(error) !== NOT_ALLOWED) throw databaseError(error, "write_failed", doing);
    const fix =
      "Connect as the role that owns the database, in --database-url or SENTINEL_DATABASE_URL.";
    throw new SentinelError("role_refused", `${doing}: this role may not.`, fix, { cause: error });
  };
}

function saidBy(code: string, error: unknown): string {
  if (REFUSED.test(code)) return (error as Error).message;
  if (NO_SCHEMA.test(code)) return "this database has no schema of this version";
  if (code === "no password")
    return "the database asks for the role's password, and none was given";
  if (code === "no answer") return "the database does not answer";
  if (code === "none free") return "no connection to the database was free in time";
  return NETWORK.test(code)
    ? `the database cannot be reached (${code})`
    : `the database says ${code}`;
}
