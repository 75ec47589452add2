/** All that a cluster keeps of a database, to look for what must not be there. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { asOwnerOf, type Postgres } from "./postgres-server.ts";

/** Kinds of what was taken out, in a list of tags, and tables and arguments that a cookie is named like. */
const OUR_NAMES = /redacted:[\w-]+|\w*_session\w*/g;

interface Kept {
  /** The rows of every table. */
  readonly tables: string;
  /** The log of the server and every segment of its write-ahead log. */
  readonly logs: string;
}

/** Long texts are stored as they are from now on, so that they can be searched. */
export async function storeTextsAsTheyAre(postgres: Postgres, database: string): Promise<void> {
  await asOwnerOf(
    postgres,
    database,
    "alter table sentinel.events alter content set storage external",
    "alter table sentinel.artifacts alter text set storage external",
  );
}

export function keptBy({ folder, port, run }: Postgres, database: string): Kept {
  const place = ["--host=127.0.0.1", `--port=${port}`, "--username=admin"];
  const segments = join(folder, "data", "pg_wal");
  const files = readdirSync(segments).filter((name) => /^[0-9A-F]{24}$/.test(name));
  const logs = [...files.map((name) => join(segments, name)), join(folder, "log")];
  return {
    tables: run("pg_dump", ...place, "--data-only", "--inserts", database),
    logs: logs.map((path) => readFileSync(path, "latin1")).join("\n"),
  };
}

/** A text without what stands in it by our own doing and looks like a part of a secret. */
export function withoutOurNames(text: string): string {
  return text.replaceAll(OUR_NAMES, "");
}
