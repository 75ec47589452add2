/** How far a share measured on a sample may be from the share itself. */

const Z = 1.96;

/** Wilson's interval at 95 %, as percentages: `42.1 to 63.9`. */
export function intervalOf(count: number, of: number): string {
  const share = count / of;
  const middle = share + Z ** 2 / (2 * of);
  const half = Z * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2));
  const [low, high] = [middle - half, middle + half].map((bound) =>
    Math.max(0, (100 * bound) / (1 + Z ** 2 / of)).toFixed(1),
  );
  return `${low} to ${high}`;
}
