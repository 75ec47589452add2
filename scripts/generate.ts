/** Writes the files that are made from the source: a test fails when one of them is not current. */
import { writeFile } from "node:fs/promises";
import { rulesIn } from "../src/setup/parts.ts";

await writeFile(".cursorrules", rulesIn(".cursorrules").put(undefined, false));
