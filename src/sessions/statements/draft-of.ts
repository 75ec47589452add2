/** Turns a statement into a draft, or rejects it with the missing information. Pure. (docs/design/sessions.md, "Statements") */
import type { Content, EventDraft, Json, Kind } from "../kinds/event.ts";
import { textsIn } from "../kinds/kind.ts";
import { ID_FIELDS, statedKind } from "../kinds/kinds.ts";
import { fieldsOf } from "./check-fields.ts";
import { inPlaceOfItsLike, mayPin } from "./pins.ts";
import { inShort, type Named, refused, type Situation, type Statement } from "./statement.ts";
import { inLedger, namedTask, ownTask, taskContent } from "./tasks.ts";

/** All ids in a statement. */
export function idsIn({ refs = [], fields }: Statement): string[] {
  const named = [...ID_FIELDS].map((name) => fields[name]);
  return [...refs, ...named, namedTask(fields.task)].flat().filter((id) => typeof id === "string");
}

/** @throws SentinelError `bad_argument`. */
export function draftOf(statement: Statement, situation: Situation): EventDraft {
  const { kind, refs = [], channel, sensitivity } = statement;
  const { session, agent, by, place } = situation;
  const said = withWholeIds(fieldsOf(statement, by), kind, situation);
  const circle = channel ?? situation.channel ?? "private";
  const content = kind === "pin" ? inPlaceOfItsLike(said, circle, situation) : said;
  const rested = refs
    .filter((ref) => ref.trim() !== "")
    .map((ref) => namedBy(ref, undefined, situation));
  const grounds = rested.map(({ id }) => id);
  const { form } = statedKind(kind);
  if (form.needsRefs && grounds.length === 0)
    throw refused(
      `${form.name} needs refs: what in the session log it rests on.`,
      'Add refs, such as ["evt_…"]. Where nothing of it is recorded yet, record that first, as a message; actor "human" quotes the user.',
    );
  if (kind === "decision" && rested.every(({ isOtherVoice }) => isOtherVoice))
    throw refused(
      `A decision needs more than ${inShort(grounds[0] ?? "")}: neither the user nor you said that.`,
      'Add refs to what the user said or to what you found. To quote the user, record a message with the actor "human" first.',
    );
  if (kind === "pin") mayPin(content, circle, situation);
  const task = kind === "task_update" ? taskContent(content, situation) : { content, refs: [] };
  const isQuote = statement.actor === "human" && by.type === "agent";
  const pinned = typeof content.ref === "string" ? [content.ref] : [];
  return {
    session,
    agent,
    actor: kind === "tool_result" ? { type: "tool", id: `tool.${content.tool}` } : by,
    kind,
    content: isQuote ? { ...task.content, quotes: "human" } : task.content,
    refs: [...new Set([...task.refs, ...pinned, ...grounds])],
    place,
    channel,
    sensitivity,
  };
}

function withWholeIds(content: Content, kind: Kind, situation: Situation): Content {
  const whole: Record<string, Json | undefined> = { ...content };
  const replace = (field: string, idFor: (id: string) => string) => {
    const given = content[field];
    if (given !== undefined) whole[field] = textsIn(given).map(idFor);
  };
  replace("supersedes", (id) => idOf(id, kind, situation));
  replace("decisions", (id) => idOf(id, "decision", situation));
  replace("blocked_by", (id) => blockerOf(id, situation));
  if (typeof content.ref === "string") whole.ref = idOf(content.ref, undefined, situation);
  return whole;
}

/** A task of this session by its name, or any task by the id of an update. */
function blockerOf(id: string, situation: Situation): string {
  const own = ownTask(id, situation);
  return own ?? inLedger(namedBy(id, "task_update", situation), situation.ledger);
}

const idOf = (given: string, wanted: Kind | undefined, situation: Situation): string =>
  namedBy(given, wanted, situation).id;

/** @param wanted the required kind of the event, if any. */
function namedBy(given: string, wanted: Kind | undefined, { named }: Situation): Named {
  const found = named.get(given);
  if (!found)
    throw refused(
      `The session log has nothing under ${inShort(given)}.`,
      "Give ids as answers and the start of a session show them: evt_…, chk_… or art_….",
    );
  if (wanted !== undefined && found.kind !== wanted)
    throw refused(
      `${inShort(given)} is a ${found.kind}, not a ${wanted}.`,
      `Give the id of a ${wanted}.`,
    );
  return found;
}
