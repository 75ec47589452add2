/** The environment of a program whose limits on its own time are not what a test is about; see unhurried.cjs. */
import { resolve } from "node:path";
import { COMPILED } from "./compiled.ts";

export const UNHURRIED = {
  NODE_OPTIONS: `${COMPILED.NODE_OPTIONS} --require ${resolve("test/support/unhurried.cjs")}`,
};
