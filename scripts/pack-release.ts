/** `npm run pack:release`: makes the package file. */
import { packRelease } from "./release-package.ts";

console.log(packRelease(process.cwd()));
