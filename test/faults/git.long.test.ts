/** The merges of git.test.ts in repositories that are set up in other ways. */
import { describe } from "vitest";
import { type Repository, useOrigin } from "./support/git.ts";
import { GAPS, testPairings } from "./support/pairings.ts";

const REPOSITORIES: readonly [string, Repository][] = [
  ["git's default driver", { gaps: GAPS, driver: "default" }],
  ["union, CRLF checkout", { gaps: GAPS, crlf: true }],
  ["git's default driver, CRLF checkout", { gaps: GAPS, driver: "default", crlf: true }],
];

describe.each(REPOSITORIES)("merged with %s", (_, repository) =>
  testPairings(useOrigin(repository)),
);
