import { InvalidArgumentError } from "commander";

/** Reads the value of an option that takes a whole number. */
export const wholeNumber = (least: number, most?: number) => (text: string) => {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= (most ?? value)) return value;
  const end = most === undefined ? "" : ` and ${most} at most`;
  throw new InvalidArgumentError(`Give a whole number, ${least} or more${end}.`);
};

export const positive = wholeNumber(1);
