/** All that a cluster keeps of a database, to look for what must not be there. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { asOwnerOf, type Postgres } from "./postgres-server.ts";

/** Kinds of what was taken out, in a list of tags, and tables and arguments that a cookie is named like. */
const OUR_NAMES = /redacted:[\w-]+|\w*_session\w*/g;

/** Of a page of the write-ahead log, and of what stands before its lessons; the first of a segment has more. */
const PAGE_BYTES = 8_192;
const HEADER_BYTES = 24;
const FIRST_HEADER_BYTES = 40;

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
    "alter table sentinel.events alter event set storage external",
    "alter table sentinel.artifacts alter text set storage external",
  );
}

export function keptBy({ folder, port, run }: Postgres, database: string): Kept {
  const place = ["--host=127.0.0.1", `--port=${port}`, "--username=admin"];
  const segments = join(folder, "data", "pg_wal");
  const files = readdirSync(segments).filter((name) => /^[0-9A-F]{24}$/.test(name));
  const changes = files.map((name) => withoutHeaders(readFileSync(join(segments, name))));
  return {
    tables: run("pg_dump", ...place, "--data-only", "--inserts", database),
    logs: [...changes, readFileSync(join(folder, "log"), "latin1")].join("\n"),
  };
}

/** What a segment of the write-ahead log holds, in one piece: a text may begin on one page and end on the next. */
function withoutHeaders(segment: Buffer): string {
  const pages: string[] = [];
  for (let start = 0; start < segment.length; start += PAGE_BYTES) {
    const header = start === 0 ? FIRST_HEADER_BYTES : HEADER_BYTES;
    pages.push(segment.toString("latin1", start + header, start + PAGE_BYTES));
  }
  return pages.join("");
}

/** A text without what stands in it by our own doing and looks like a part of a secret. */
export function withoutOurNames(text: string): string {
  return text.replaceAll(OUR_NAMES, "");
}
