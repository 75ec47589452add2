/** The recordings are what today's clients write: told again, they give the same events, and lines of the same kinds. */
import { beforeAll, expect, it } from "vitest";
import { fieldsOf } from "../../src/sessions/transcripts/fields.ts";
import { READERS } from "../../src/sessions/transcripts/readers.ts";
import { testFolder } from "../support/in-test.ts";
import { installAgents } from "./agents.ts";
import { readAll, story } from "./read-recorded.ts";
import {
  CASES,
  type Recorded,
  readRecorded,
  record,
  recordedFolder,
  writeRecorded,
} from "./recordings.ts";

beforeAll(installAgents, 900_000);

// A client that a person stops races its own end: now and then it writes less before it is gone. So each story is told up to three times.
it.each(CASES)(
  "%s writes %s as it is recorded",
  { timeout: 600_000, retry: 2 },
  async (client, told) => {
    const reader = READERS.find(({ agent }) => agent === client);
    if (!reader) {
      throw new Error(`Nothing reads ${client}.`);
    }
    const files = await record(client, told);
    expect(kindsOf(files)).toEqual(kindsOf(readRecorded(client, told)));
    const folder = testFolder();
    writeRecorded(folder, files);
    const [now, then] = [
      await readAll(reader, folder),
      await readAll(reader, recordedFolder(client, told)),
    ];
    expect(story(now)).toEqual(story(then));
    expect(now.report.unknown).toEqual({});
  },
);

/** Claude Code names a session when it compacts it; lines that it keeps may stand there again, with that name. */
const COMES_AND_GOES = ["slug"];

/** What kinds of lines there are: their types, and the fields of each. */
function kindsOf(files: readonly Recorded[]): string[] {
  const kinds = files.flatMap(({ lines }) =>
    lines.map((line) => {
      if (!line.startsWith("{")) {
        return "text";
      }
      const fields = JSON.parse(line);
      const inner = fieldsOf(fields.payload ?? fields.message);
      const names = Object.keys(fields).filter((name) => !COMES_AND_GOES.includes(name));
      return [fields.type, inner.type ?? inner.role, ...names.sort()].join(" ");
    }),
  );
  return [...new Set(kinds)].sort();
}
