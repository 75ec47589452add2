import { InvalidArgumentError } from "commander";

/** The value of an option that takes a whole number from 1 up. */
export function positive(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new InvalidArgumentError("Give a whole number, 1 or more.");
}
