import { SentinelError } from "../core/errors.ts";

/** Formats an error for an answer: its stable code and message, then the fix. @param tell is called with an unexpected error. By default it's logged. */
export function explain(error: unknown, tell = logInFull): string {
  if (error instanceof SentinelError) {
    return `error ${error.code}: ${error.message}\nfix: ${error.fix}`;
  }
  tell(error);
  return "error internal: the server failed.\nfix: Call again. If it fails again, report its standard error.";
}

function logInFull(error: unknown): void {
  log(error instanceof Error ? (error.stack ?? error.message) : String(error));
}

/** Logs a message for the operator to standard error, because standard output carries the protocol. */
export function log(message: string): void {
  process.stderr.write(`sentinel-memory: ${message}\n`);
}
