import { setImmediate as nextTurn } from "node:timers/promises";

/** Joins all that is asked while a question is on its way, and in one turn, into the next one. @param ask answers in the order of the keys. */
export function together<Key, Answer>(ask: (keys: readonly Key[]) => Promise<readonly Answer[]>) {
  let before: Promise<unknown> = Promise.resolve();
  let next: { readonly keys: Key[]; readonly answers: Promise<readonly Answer[]> } | undefined;
  return async (key: Key): Promise<Answer> => {
    if (!next) {
      const keys: Key[] = [];
      const answers = before.then(async () => {
        await nextTurn();
        next = undefined;
        return ask(keys);
      });
      before = answers.catch(() => undefined);
      next = { keys, answers };
    }
    const { keys, answers } = next;
    const at = keys.push(key) - 1;
    return (await answers)[at] as Answer;
  };
}
