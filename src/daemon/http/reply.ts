import type { ServerResponse } from "node:http";
import { type ErrorCode, SentinelError } from "../../ground/core/errors.ts";

const STATUSES: Partial<Record<ErrorCode, number>> = {
  bad_argument: 400,
  unauthorised: 401,
  not_allowed: 403,
  not_found: 404,
  lock_timeout: 409,
  too_large: 413,
  too_many_calls: 429,
  read_failed: 500,
  write_failed: 500,
  cancelled: 503,
  daemon_unreachable: 503,
  database_unreachable: 503,
  newer_format: 503,
  old_format: 503,
  read_only: 503,
  role_refused: 503,
  schema_outdated: 503,
  disk_full: 507,
};
const OTHERS = 422;
const UNEXPECTED = 500;

export function replyJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}

/** What is not a SentinelError is a mistake of ours: its text may hold anything, so nobody outside sees it. */
export function replyError(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const isKnown = error instanceof SentinelError;
  const { code, message, fix } = isKnown ? error : UNKNOWN;
  if (code === "unauthorised") response.setHeader("www-authenticate", "Bearer");
  if (code === "too_many_calls") response.setHeader("retry-after", "1");
  replyJson(response, isKnown ? (STATUSES[error.code] ?? OTHERS) : UNEXPECTED, {
    error: { code, message, fix },
  });
}

const UNKNOWN = {
  code: "failed",
  message: "The daemon failed.",
  fix: "Look into its log, then call again.",
} as const;
