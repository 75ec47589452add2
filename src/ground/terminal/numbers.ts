import { InvalidArgumentError } from "commander";

/** Returns a parser for an option that takes a whole number. @param most the upper limit. Without it there's none. */
export const wholeNumber =
  (least: number, most?: number) =>
  (text: string): number => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= least && value <= (most ?? value)) return value;
    throw new InvalidArgumentError(
      `Give a whole number, ${least} or more${most ? ` and ${most} at most` : ""}.`,
    );
  };
