/** `npm run pack:release`: makes the package file and notes in releases.json which server this version was released with. */
import { readFileSync, writeFileSync } from "node:fs";
import packageJson from "../package.json" with { type: "json" };
import { packRelease } from "./release-package.ts";

const LIST = "releases.json";

const { version } = packageJson;
const noted = JSON.parse(readFileSync(LIST, "utf8"));
const built = JSON.parse(readFileSync(`dist/${LIST}`, "utf8"));
if (noted[version] !== undefined && noted[version] !== built[version]) {
  console.error(
    `${LIST} says that ${version} was released with another server: raise the version in package.json.`,
  );
  process.exitCode = 1;
} else {
  writeFileSync(LIST, `${JSON.stringify(built, null, 2)}\n`);
  console.log(
    `${packRelease(process.cwd())}\nCommit ${LIST}: doctor knows the server of ${version} by it.`,
  );
}
