/** A session log on a daemon. The access token is stored only in the user's data folder. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { SentinelError } from "../../ground/core/errors.ts";
import { changeUserFile } from "../../ground/files/private-file.ts";
import { type DaemonLog, readManifest } from "./find-log.ts";

const TOKEN_NAME = "token";
const OTHERS = 0o077;

/** The daemon of a session log, with the token. Undefined for a log in files. @throws SentinelError `unauthorised`, `not_private`. */
export function daemonOf(logFolder: string): (DaemonLog & { readonly token: string }) | undefined {
  const manifest = readManifest(logFolder);
  const daemon = typeof manifest === "object" ? manifest.daemon : undefined;
  return daemon && { ...daemon, token: readToken(logFolder) };
}

/** Stores the token in a file, because hooks and servers don't have the shell's environment. */
export function keepToken(logFolder: string, token: string): Promise<void> {
  return changeUserFile(join(logFolder, TOKEN_NAME), () => `${token}\n`);
}

function readToken(logFolder: string): string {
  const path = join(logFolder, TOKEN_NAME);
  const info = statSync(path, { throwIfNoEntry: false });
  if (!info) {
    throw new SentinelError(
      "unauthorised",
      `There is no token in ${path}.`,
      "SENTINEL_TOKEN=… sentinel-memory sessions on",
    );
  }
  if (process.platform !== "win32" && (info.mode & OTHERS) !== 0) {
    throw new SentinelError(
      "not_private",
      `Others on this machine may read ${path}.`,
      `chmod 600 '${path}', and make another token.`,
    );
  }
  return readFileSync(path, "utf8").trim();
}
