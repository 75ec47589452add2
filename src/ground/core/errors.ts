/** The one error thrown on purpose: a stable `code`, a `message` that says what happened, and a `fix` that says what to do. */

export type ErrorCode =
  | "ambiguous"
  | "bad_argument"
  | "bad_place"
  | "bad_reference"
  | "bad_text"
  | "blank_field"
  | "cancelled"
  | "check_failed"
  | "config_unreadable"
  | "copy_changed"
  | "daemon_unreachable"
  | "database_unreachable"
  | "disk_full"
  | "entry_differs"
  | "extractor_failed"
  | "git_refused"
  | "id_taken"
  | "left_alone"
  | "lock_timeout"
  | "markers_unclear"
  | "newer_format"
  | "no_project"
  | "no_usable_source"
  | "would_lose"
  | "not_a_file"
  | "not_allowed"
  | "not_checked_out"
  | "not_found"
  | "not_imported"
  | "not_private"
  | "not_recorded"
  | "old_format"
  | "over_limit"
  | "own_word_refused"
  | "privacy_unreadable"
  | "private_unclosed"
  | "read_failed"
  | "read_only"
  | "role_refused"
  | "schema_outdated"
  | "secret_refused"
  | "spool_full"
  | "stale_reference"
  | "too_large"
  | "too_many_calls"
  | "unauthorised"
  | "unknown_argument"
  | "unknown_tool"
  | "write_failed";

export class SentinelError extends Error {
  /** By its name: the daemon is a bundle apart, with a class of its own. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === "SentinelError";
  }

  override readonly name = "SentinelError";
  readonly code: ErrorCode;
  readonly fix: string;

  constructor(code: ErrorCode, message: string, fix: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.fix = fix;
  }
}

/** A fault that is shown and not thrown, with its fix. */
export interface Problem {
  readonly what: string;
  readonly fix: string;
}

/** Turns a foreseen error into a problem. @throws any other error as it is. */
export function problemOf(error: unknown): Problem & Pick<SentinelError, "code"> {
  if (!(error instanceof SentinelError)) throw error;
  return { code: error.code, what: error.message, fix: error.fix };
}

/** Gives the result of an act; where it fails, for whatever reason, the other one. */
export function tryOr<Result, Other>(act: () => Result, other: Other): Result | Other {
  try {
    return act();
  } catch {
    return other;
  }
}
