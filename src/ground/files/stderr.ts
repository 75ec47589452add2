/** Logs a message for the operator to standard error, because standard output carries the protocol. */
export function log(message: string): void {
  process.stderr.write(`sentinel-memory: ${message}\n`);
}
