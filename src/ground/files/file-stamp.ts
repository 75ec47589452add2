import type { BigIntStats } from "node:fs";

/** Which bytes a file held when it was looked at: another stamp, other bytes. @param stats as BigInt; the time of a change in ms is too coarse. */
export const fileStamp = ({
  ino,
  size,
  ctimeNs,
}: Pick<BigIntStats, "ino" | "size" | "ctimeNs">): string => `${ino} ${size} ${ctimeNs}`;
