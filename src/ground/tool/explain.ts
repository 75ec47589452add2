import { SentinelError } from "../core/errors.ts";
import { log } from "../files/stderr.ts";

/** Says what happened, under a stable code, then the fix. @param tell takes an error that nobody foresaw; by default it is logged. */
export function explain(error: unknown, tell = logInFull): string {
  if (isMissingPart(error)) return explain(restartNeeded());
  if (error instanceof SentinelError)
    return `error ${error.code}: ${error.message}\nfix: ${error.fix}`;
  tell(error);
  return "error internal: the server failed.\nfix: Call again. If it fails again, report its standard error.";
}

function logInFull(error: unknown): void {
  log(error instanceof Error ? (error.stack ?? error.message) : String(error));
}

/** Whether a part of the server was not on disk when it was needed. */
function isMissingPart(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
}

function restartNeeded(): SentinelError {
  return new SentinelError(
    "restart_needed",
    "A part of this server is no longer on disk: its package was replaced or removed while it ran. Nothing was done.",
    "Restart this server, from the client's list of MCP servers or with a new session, then call again. If it stays, install sentinel-memory.",
  );
}
