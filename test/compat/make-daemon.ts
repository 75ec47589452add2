/**
 * Stores the daemon of a release for test/daemon/upgrade.long.test.ts, in place of the one that is there.
 *
 *   npx tsx test/compat/make-daemon.ts FOLDER
 *
 * FOLDER holds what `npm run build` makes at the commit of that release. It has to be one before the last migration, so run it when a migration
 * is added, with a build of the commit before.
 */
import { writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { DAEMON, readTexts } from "./archive.ts";

const [folder] = process.argv.slice(2);
if (!folder) throw new Error("Name the folder of the bundle.");
/** It loads the last two where a tenant has words of its own, or a privacy.yaml. */
const NEEDED = /^(?:daemon\.mjs|migrations\/.*|server\/(?:read-policy|own-patterns)\.cjs)$/;
const texts = readTexts(folder, (path) => NEEDED.test(path));
writeFileSync(DAEMON, gzipSync(JSON.stringify(texts), { level: 9 }));
