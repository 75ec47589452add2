/** The events of one session at the end of a file. One bundle after another asks for the same, and files of earlier days stay as they are. */
import { closeSync, fstatSync, openSync } from "node:fs";
import { Lately } from "../../ground/core/lately.ts";
import { linesWith } from "../../ground/files/append-log.ts";
import { fileStamp } from "../../ground/files/file-stamp.ts";
import { countRead } from "../../ground/files/read-count.ts";
import type { Event } from "../kinds/event.ts";
import { readEventLine, writeJson } from "./event-line.ts";
import { readAt } from "./sum-of-ends.ts";

/** Of a few sessions, the days of a window. */
const FILES_REMEMBERED = 16;

interface SessionEvents {
  readonly events: readonly Event[];
  /** Of the file, those that were searched. */
  readonly bytes: number;
}

const remembered = new Lately<SessionEvents & { readonly of: string }>(FILES_REMEMBERED);

/** @param mostBytes the last ones of the file; they may begin in the middle of a line, which is no event then. */
export function sessionEvents(path: string, session: string, mostBytes: number): SessionEvents {
  const file = openSync(path, "r");
  try {
    const info = fstatSync(file, { bigint: true });
    const bytes = Math.min(Number(info.size), mostBytes);
    const of = `${fileStamp(info)} ${bytes}`;
    const key = `${path} ${session}`;
    const known = remembered.get(key);
    if (known?.of === of) return known;
    const end = readAt(file, Number(info.size) - bytes, bytes);
    countRead(end.length);
    const found = { of, bytes, events: eventsIn(end, session) };
    remembered.set(key, found);
    return found;
  } finally {
    closeSync(file);
  }
}

/** Most lines are of other sessions, and need not be parsed to see that. */
function eventsIn(bytes: Buffer, session: string): Event[] {
  const lines = linesWith(bytes, Buffer.from(writeJson(session)));
  return lines.flatMap((line) => readEventLine(line.toString()) ?? []).filter((event) => event.session === session);
}
