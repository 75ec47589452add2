/** Merges of git.test.ts in a repository that is set up in another way: git's own driver, which leaves conflicts, and a checkout with CRLF. */
import { describe } from "vitest";
import { useOrigin } from "./support/git.ts";
import { GAPS, testPairings } from "./support/pairings.ts";

describe("merged with git's default driver, CRLF checkout", () =>
  testPairings(useOrigin({ gaps: GAPS, driver: "default", crlf: true }), "both"));
