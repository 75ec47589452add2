import { InvalidArgumentError } from "commander";

/** Reads the value of an option that takes a whole number. @param most without it there is no limit. */
export const wholeNumber =
  (least: number, most?: number) =>
  (text: string): number => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= least && value <= (most ?? value)) return value;
    throw new InvalidArgumentError(
      `Give a whole number, ${least} or more${most ? ` and ${most} at most` : ""}.`,
    );
  };
