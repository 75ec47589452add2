/** The only error thrown on purpose. It has a stable `code`, a `message` that describes the failure, and a `fix` with the next step. */

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
  /** Compares names, because the daemon is a separate bundle with another copy of this class. */
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

/** A fault to show rather than throw, with its fix. */
export interface Problem {
  readonly what: string;
  readonly fix: string;
}

/** Converts a SentinelError to a problem. @throws any other error unchanged. */
export function problemOf(error: unknown): Problem & Pick<SentinelError, "code"> {
  if (!(error instanceof SentinelError)) {
    throw error;
  }
  return { code: error.code, what: error.message, fix: error.fix };
}

/** Returns the result of `act`, or `other` if it throws. */
export function tryOr<Result, Other>(act: () => Result, other: Other): Result | Other {
  try {
    return act();
  } catch {
    return other;
  }
}

/** Returns the value of a JSON text, without checking its type. Undefined if the text isn't JSON. */
export function parseJson<Value = unknown>(text: string): Value | undefined {
  return tryOr(() => JSON.parse(text), undefined);
}
