/** Runs once before the suites that start the built server or commands. */
import { failUnlessFresh } from "./fresh-build.ts";

export function setup(): void {
  failUnlessFresh("dist", "npm run build");
}
