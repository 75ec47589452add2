import { seeded, word } from "./random.ts";

/** A secret that every redactor knows, in the shape of a GitHub token; made here, so that no file of ours holds one. */
export const SECRET_TOKEN: string = ["ghp", word(seeded(1), 36)].join("_");
