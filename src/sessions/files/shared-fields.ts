/**
 * What the events of a session have in common stands in a line of its own, `{"in":NAME,"session","agent","place"}`, before the first of them
 * in each batch, so that it is written with them or not at all. Who begins to read further on finds it in the rest of the file.
 */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { orElse } from "../../ground/core/or-else.ts";
import { linesWith } from "../../ground/files/append-log.ts";
import { countRead } from "../../ground/files/read-count.ts";
import type { Event } from "../kinds/event.ts";

export type Shared = Pick<Event, "session" | "agent" | "place">;

const BEGINNING = Buffer.from('{"in":"');
/** Characters of a name that are of the session, by which its lines are found, and of all that is shared. */
const SESSION_LENGTH = 3;
const REST_LENGTH = 4;
/** An event whose line of these was destroyed by hand is still there, and found by its words. */
const LOST: Shared = { session: "unknown", agent: "unknown" };

/** By name, which says what it stands for wherever it stands. */
const known = new Map<string, Shared>();
const searched = new Set<string>();

/** The line, and how events name it. */
export function sharedLine({ session, agent, place }: Shared): { readonly name: string; readonly json: string } {
  const json = JSON.stringify({ session, agent, place });
  const name = sessionName(session) + hash("sha256", json, "base64url").slice(0, REST_LENGTH);
  return { name, json: `${BEGINNING}${name}",${json.slice(1)}` };
}

/** What the names of a session's lines begin with, and those of few others. */
export const sessionName = (session: string): string => hash("sha256", session, "base64url").slice(0, SESSION_LENGTH);

/** @returns its name, if this is such a line. */
export function learnShared(line: Buffer): string | undefined {
  if (!line.subarray(0, BEGINNING.length).equals(BEGINNING)) return undefined;
  const { in: name, ...shared } = orElse(() => JSON.parse(line.toString()), {});
  if (typeof name === "string") known.set(name, shared);
  return name;
}

/** @param path of the file that names it, where only a part of that was read. */
export function sharedNamed(name: string, path: string | undefined): Shared {
  if (path !== undefined && !known.has(name) && !searched.has(`${path} ${name}`)) {
    const bytes = readFileSync(path);
    countRead(bytes.length);
    for (const line of linesWith(bytes, BEGINNING)) learnShared(line);
    searched.add(`${path} ${name}`);
  }
  return known.get(name) ?? LOST;
}
