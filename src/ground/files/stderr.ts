/** Messages for a person who watches the server: to standard error only, because standard output is the protocol. */
export function log(message: string): void {
  process.stderr.write(`sentinel-memory: ${message}\n`);
}
