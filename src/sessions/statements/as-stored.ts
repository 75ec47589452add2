/** What became of what was said: which of its fields lost something, and whether an event that is stored says the same. Pure. */
import {
  type Content,
  type Event,
  type EventDraft,
  type Json,
  SHORT_LENGTH,
} from "../kinds/event.ts";
import { ID_FIELDS } from "../kinds/kinds.ts";
import { namedTask } from "./tasks.ts";

/** Stands for a secret, a word of the person's own list, or a private passage. */
const MARK = /\[(?:REDACTED|PRIVATE)\]/g;

/** The fields that hold less than what was said, by their names. */
export function redactedFields({ session, content }: EventDraft, event: Event): string[] {
  const fields = Object.entries(content).filter(
    ([name, said]) => marksIn(storedIn(event, name)) > marksIn(said),
  );
  return [
    ...fields.map(([name]) => name),
    ...(marksIn(event.session) > marksIn(session) ? ["session"] : []),
  ];
}

/** Whether an event says what the fields do; what was redacted or cut may be the same. @param fields as `fieldsOf` gives them. */
export function saysTheSame(event: Event, fields: Content): boolean {
  const { quotes: _, truncated, stats, artifact_id, cuts, excerpt_text, ...others } = event.content;
  const stored: Content = { ...others, ...(excerpt_text !== undefined && { text: excerpt_text }) };
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

/** What stands around the marks is the same. */
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
