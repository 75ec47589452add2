/** The environment of a program whose limits on its own time are not what a test is about; see unhurried.cjs. */
import { resolve } from "node:path";

export const UNHURRIED = {
  NODE_OPTIONS: `--require ${resolve("test/support/unhurried.cjs")}`,
};
