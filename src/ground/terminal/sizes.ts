/** A size for people, in megabytes of 1,000,000 bytes. */
export function inMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 })} MB`;
}
