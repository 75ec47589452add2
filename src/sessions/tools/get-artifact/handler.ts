import { SentinelError } from "../../../ground/core/errors.ts";
import { beside } from "../../answers/neighbours.ts";
import { pageAnswer } from "../../answers/page-answer.ts";
import { wholeOf } from "../../answers/whole-text.ts";
import type { SessionAnswer, SessionToolContext } from "../context.ts";
import type { Input } from "./definition.ts";

export async function handle(
  { ref, range, around }: Input,
  { record, budget }: SessionToolContext,
): Promise<SessionAnswer> {
  if (ref.trim() === "") throw blankRef();
  const { store } = await record();
  const whole = await wholeOf(ref.trim(), store);
  const near = around !== undefined && whole.event ? await beside(whole.event, around, store) : undefined;
  return { text: pageAnswer(whole, range, near, budget) };
}

function blankRef(): SentinelError {
  const fix = "Give an id as an answer or the start of a session shows it: evt_…, chk_… or art_….";
  return new SentinelError("bad_argument", "The argument ref is blank, so it names nothing.", fix);
}
