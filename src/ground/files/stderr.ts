/** Messages for a person who watches the server. They use standard error, because standard output is the protocol. */
export function log(message: string): void {
  process.stderr.write(`sentinel-memory: ${message}\n`);
}
