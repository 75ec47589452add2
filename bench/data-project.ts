/** The project whose sessions the data has: its folder, and its files as a record names them. */
import type { Event } from "../src/sessions/kinds/event.ts";
import type { Line, Sessions } from "./coding-sessions.ts";
import { type Moment, momentsOf } from "./moments.ts";

/** The share of all files that are in it; some are in the person's own folder. */
const MOST = 0.9;

/** The deepest folder in which nearly all files are. */
export function projectIn(sessions: readonly (readonly Line[])[]): string {
  const files = sessions.flat().flatMap(({ file }) => (file?.startsWith("/") ? [file] : []));
  let folder = "";
  for (const name of files[0]?.split("/").slice(1) ?? []) {
    const deeper = `${folder}/${name}`;
    if (files.filter((file) => file.startsWith(`${deeper}/`)).length < MOST * files.length) break;
    folder = deeper;
  }
  return folder;
}

/** The same with paths of the project relative to it. */
export function inProject(data: Sessions, cwd: string): Sessions {
  const events = data.events.map((event) => {
    const { path } = event.content;
    if (typeof path !== "string" || !path.startsWith(`${cwd}/`)) return event;
    return { ...event, content: { ...event.content, path: path.slice(cwd.length + 1) } } as Event;
  });
  return { ...data, events, moments: momentsOf(events) };
}

/** The moments of one session log in another one of the same sessions. @param events of that one, in order of time. */
export function momentsAmong(events: readonly Event[], from: Sessions): Moment[] {
  return from.moments.map((moment) => {
    const { ts = "" } = from.events[moment.at] ?? {};
    const at = events.findIndex((event) => event.ts >= ts);
    return { ...moment, at: at === -1 ? events.length : at };
  });
}
