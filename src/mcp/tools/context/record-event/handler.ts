import { saidAnswer } from "../../../../events/answers/said-answer.ts";
import { say } from "../../../../events/say.ts";
import type { RecordAnswer, RecordContext } from "../../../tool.ts";
import type { Input } from "./definition.ts";

export async function handle(
  { content, session: given, key, ...statement }: Input,
  { record }: RecordContext,
): Promise<RecordAnswer> {
  const { store, agent, channel, askingSession, place, append } = await record();
  const { session, how } = await askingSession(given);
  const speaker = { session, agent, by: { type: "agent", id: agent } as const, place: await place(), channel, key };
  const said = await say({ ...statement, fields: content }, speaker, store, append);
  return { text: saidAnswer(said, how, await store.brief("ledger")) };
}
