/** Runs once before the suites that start the built server or commands. */
import { forgetCompiled } from "./compiled.ts";
import { failUnlessFresh } from "./fresh-build.ts";

export function setup(): void {
  failUnlessFresh("dist", "npm run build");
  forgetCompiled();
}
