/** Runs once before the suites that start the test build, where faults can be set. */
import { failUnlessFresh } from "./fresh-build.ts";

export function setup(): void {
  failUnlessFresh("dist-test", "npm run build:test");
}
