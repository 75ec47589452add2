/** Turns a statement into a draft, or rejects it with the missing information. Pure. (docs/design/sessions.md, "Statements") */
import type { Content, EventDraft, Json, Kind } from "../kinds/event.ts";
import { textsIn } from "../kinds/kind.ts";
import { ID_FIELDS, statedKind } from "../kinds/kinds.ts";
import { fieldsOf } from "./check-fields.ts";
import { inPlaceOfItsLike, mayPin } from "./pins.ts";
import {
  capital,
  inShort,
  type Named,
  refused,
  type Situation,
  type Statement,
} from "./statement.ts";
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
      `${capital(form.name)} needs refs: what in the session log it rests on.`,
      'Add refs, such as ["evt_…"]. Where nothing of it is recorded yet, record that first, as a message; actor "human" quotes the user.',
    );
  if (kind === "decision" && rested.every(({ isOtherVoice }) => isOtherVoice))
    throw refused(
      `A decision needs more than ${inShort(grounds[0] ?? "")}: neither the user nor you said that.`,
      'Add refs to what the user said or to what you found. To quote the user, record a message with the actor "human" first.',
    );
  if (kind === "pin") mayPin(content, circle, situation);
  const task = kind === "task_update" ? taskContent(content, situation) : { content, refs: [] };
  const pinned = typeof content.ref === "string" ? [content.ref] : [];
  return {
    session,
    agent,
    actor: kind === "tool_result" ? { type: "tool", id: `tool.${content.tool}` } : by,
    kind,
    content: {
      ...task.content,
      ...(statement.actor === "human" && by.type === "agent" && { quotes: "human" }),
    },
    refs: [...new Set([...task.refs, ...pinned, ...grounds])],
    place,
    channel,
    sensitivity,
  };
}

function withWholeIds(content: Content, kind: Kind, situation: Situation): Content {
  const { supersedes, decisions, blocked_by, ref } = content;
  const all = (ids: Json | undefined, wanted: Kind) =>
    textsIn(ids).map((id) => idOf(id, wanted, situation));
  return {
    ...content,
    ...(supersedes !== undefined && { supersedes: all(supersedes, kind) }),
    ...(decisions !== undefined && { decisions: all(decisions, "decision") }),
    ...(blocked_by !== undefined && {
      blocked_by: textsIn(blocked_by).map(
        (id) =>
          ownTask(id, situation) ??
          inLedger(namedBy(id, "task_update", situation), situation.ledger),
      ),
    }),
    ...(typeof ref === "string" && { ref: idOf(ref, undefined, situation) }),
  };
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
