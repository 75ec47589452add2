/** Where a text stands in the session log in another case, which a purge of the text leaves. */
import type { EventStore } from "../store.ts";
import { artifactsOf, textsOf } from "./mentions.ts";

export interface OtherCase {
  /** How many of the caller's own events hold it so, and not as it was given. */
  readonly events: number;
  /** As it stands there, each once. */
  readonly spellings: readonly string[];
}

/** Looks through texts and artifacts. @param text not blank. */
export async function inOtherCase(text: string, store: Pick<EventStore, "read" | "artifact">): Promise<OtherCase> {
  const anyCase = new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "giu");
  const spellings = new Set<string>();
  let events = 0;
  for await (const event of store.read()) {
    if (event.person !== undefined) continue;
    const texts = [...textsOf(event)];
    for (const id of artifactsOf(event)) texts.push((await store.artifact(id)) ?? "");
    const found = texts.flatMap((one) => one.match(anyCase) ?? []);
    if (found.length === 0 || texts.some((one) => one.includes(text))) continue;
    events += 1;
    for (const spelling of found) spellings.add(spelling);
  }
  return { events, spellings: [...spellings] };
}
