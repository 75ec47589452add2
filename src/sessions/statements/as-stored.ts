/** Compares a statement with the stored event: which fields were redacted, and whether an event has the same content. Pure. */
import {
  type Content,
  type Event,
  type EventDraft,
  type Json,
  SHORT_LENGTH,
} from "../kinds/event.ts";
import { ID_FIELDS } from "../kinds/kinds.ts";
import { namedTask } from "./tasks.ts";

/** Replaces a secret, one of the user's own words or a private passage. */
const MARK = /\[(?:REDACTED|PRIVATE)\]/g;

/** The names of the redacted fields. */
export function redactedFields({ session, content }: EventDraft, event: Event): string[] {
  const fields = Object.entries(content).filter(
    ([name, said]) => marksIn(storedIn(event, name)) > marksIn(said),
  );
  const names = fields.map(([name]) => name);
  return marksIn(event.session) > marksIn(session) ? [...names, "session"] : names;
}

/** Whether an event has the same content. Redacted or cut parts count as equal. @param fields from `fieldsOf`. */
export function saysTheSame(event: Event, fields: Content): boolean {
  const { quotes: _, truncated, stats, artifact_id, cuts, excerpt_text, ...others } = event.content;
  const stored: Record<string, Json | undefined> = { ...others };
  if (excerpt_text !== undefined) stored.text = excerpt_text;
  const isCut = artifact_id !== undefined || cuts !== undefined;
  const { task, truncated: __, ...more } = fields;
  const said: Content =
    task === undefined || namedTask(task) !== undefined ? more : { ...more, task };
  const names = new Set([...Object.keys(stored), ...Object.keys(said)]);
  return [...names].every((name) => isCut || alike(name, said[name], stored[name]));
}

function alike(name: string, said: Json | undefined, stored: Json | undefined): boolean {
  if (said === undefined || stored === undefined) return said === stored;
  const written = [stored].flat().map(String);
  const told = [said].flat().map(String);
  const shown = (text: string) => (ID_FIELDS.has(name) ? text.slice(-SHORT_LENGTH) : text);
  return (
    told.length === written.length &&
    told.every((text, at) => sameText(shown(text), shown(written[at] as string)))
  );
}

/** Compares the text before the first mark and after the last one. */
function sameText(said: string, stored: string): boolean {
  const parts = stored.split(MARK);
  if (parts.length === 1) return said === stored;
  return said.startsWith(parts[0] as string) && said.endsWith(parts.at(-1) as string);
}

function storedIn({ content }: { readonly content: Content }, name: string): Json | undefined {
  return content[name] ?? (name === "text" ? content.excerpt_text : undefined);
}

const marksIn = (value: Json | undefined): number =>
  JSON.stringify(value ?? "").match(MARK)?.length ?? 0;
