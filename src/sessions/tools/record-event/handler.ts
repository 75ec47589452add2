import { saidAnswer } from "../../answers/said-answer.ts";
import { say } from "../../storing/say.ts";
import type { SessionAnswer, SessionToolContext } from "../context.ts";
import type { Input } from "./definition.ts";

export async function handle(
  { content, session: given, key, ...statement }: Input,
  { record }: SessionToolContext,
): Promise<SessionAnswer> {
  const { store, agent, channel, ownWords, askingSession, place, append } = await record();
  const { session, how } = await askingSession(given);
  const by = { type: "agent", id: agent } as const;
  const speaker = { session, agent, by, place: await place(), channel, words: ownWords, key };
  const said = await say({ ...statement, fields: content }, speaker, store, append);
  return { text: saidAnswer(said, how, await store.brief("ledger")) };
}
