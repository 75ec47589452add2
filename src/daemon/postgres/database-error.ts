/** Turns errors of PostgreSQL and the network into errors with a fix. */
import { type ErrorCode, SentinelError } from "../../ground/core/errors.ts";

const START_IT = "Start the database, or correct its address, then call again.";
const WAIT_FOR_IT = "It is starting or stopping: call again when it has started.";
const GIVE_PASSWORD =
  "Name it in the address, as postgres://ROLE:PASSWORD@HOST/DATABASE, in PGPASSWORD or in ~/.pgpass, then call again.";
export const USE_PRIMARY = "Use the primary of this database, which can be written.";
export const MIGRATE =
  "As the role that owns the database, run sentinel-memory daemon migrate: it creates the schema.";

const INSUFFICIENT_PRIVILEGE = "42501";
/** A code of PostgreSQL or of the network. */
const CODE = /^(?:[0-9A-Z]{5}|E(?!RR_)[A-Z_]+)$/;
const NETWORK = /^E[A-Z_]+$/;

/**
 * Known failures: by the start of PostgreSQL's code, whose first two characters are the class, or of the network's code, or by the driver's
 * message if there is no code. The first match counts. `what` replaces the code in our message.
 */
const FAILURES: readonly (readonly [sign: RegExp, as: ErrorCode, fix: string, what?: string])[] = [
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
  [
    /CERT|LEAF_SIGNATURE/,
    "database_unreachable",
    "Add ?sslmode=verify-full&sslrootcert=FILE to its address, with the certificate of the authority that signed it.",
    "the certificate of the database is not trusted",
  ],
  [
    /query read timeout|due to connection timeout/i,
    "database_unreachable",
    "See what keeps it, then call again.",
    "the database does not answer",
  ],
  [
    /connection terminated|client has encountered a connection/i,
    "database_unreachable",
    START_IT,
    "the database cannot be reached",
  ],
  [
    /timeout exceeded when trying to connect/i,
    "database_unreachable",
    "See whether the database answers; if it does, call again with less at once.",
    "no connection to the database was free in time",
  ],
  [
    /client password must be a/i,
    "database_unreachable",
    GIVE_PASSWORD,
    "the database asks for the role's password, and none was given",
  ],
  [/^28/, "database_unreachable", "Correct the name or the password of the role, then call again."],
  [/^53100/, "disk_full", "Free some space on the disk of the database and call again."],
  [/^25006/, "read_only", USE_PRIMARY],
  [/^(?:57014|40001|40P01|55P03)/, "cancelled", "Call again."],
  [/^SN001/, "unauthorised", "Ask the daemon's operator.", "this token has ended"],
  [
    /^SN002/,
    "not_allowed",
    "Give your session another name. To leave a session out of captures: sentinel-memory sessions skip SESSION.",
    "one of these sessions belongs to another person",
  ],
  [
    /^(?:3F000|42P01|42883|42703)/,
    "schema_outdated",
    MIGRATE,
    "this database has no schema of this version",
  ],
  [/^42501/, "role_refused", "Make the role of this process a member of sentinel_app."],
];

/** Returns a database error without the values that it quotes. Other errors are returned unchanged. @param doing like "Reading the session log". */
export function databaseError(
  error: unknown,
  failed: "read_failed" | "write_failed",
  doing: string,
): unknown {
  if (error instanceof SentinelError) {
    return error;
  }
  const sign = signOf(error);
  const known = FAILURES.find(([pattern]) => pattern.test(sign));
  if (known) {
    const [, as, fix, what = whatHappened(sign)] = known;
    return new SentinelError(as, `${doing}: ${what}.`, fix, { cause: error });
  }
  if (!CODE.test(sign)) {
    return error;
  }
  const fix = "Look into the log of the database, then call again.";
  return new SentinelError(failed, `${doing}: ${whatHappened(sign)}.`, fix, { cause: error });
}

function whatHappened(code: string): string {
  return NETWORK.test(code)
    ? `the database cannot be reached (${code})`
    : `the database says ${code}`;
}

/** Returns the code of an error, or its message. */
function signOf(error: unknown): string {
  if (!(error instanceof Error)) {
    return "";
  }
  return "code" in error && error.code !== undefined ? String(error.code) : error.message;
}

/** Returns a handler for a failed statement of the owner's role. @param doing the failed action. */
export function ownersFailure(doing: string): (error: unknown) => never {
  return (error) => {
    if (signOf(error) !== INSUFFICIENT_PRIVILEGE) {
      throw databaseError(error, "write_failed", doing);
    }
    const fix =
      "Connect as the role that owns the database, in --database-url or SENTINEL_DATABASE_URL.";
    throw new SentinelError("role_refused", `${doing}: this role may not.`, fix, { cause: error });
  };
}
