import type { BigIntStats } from "node:fs";

/** Returns a stamp that changes when a file's bytes do. @param stats as BigInt, because change times in ms are too coarse. */
export const fileStamp = ({
  ino,
  size,
  ctimeNs,
}: Pick<BigIntStats, "ino" | "size" | "ctimeNs">): string => `${ino} ${size} ${ctimeNs}`;
