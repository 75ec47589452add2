/**
 * One question for all that is asked while another is on its way: under load a statement serves many calls, and a lone one does not wait.
 * @param ask answers in the order of the keys; where it fails, all of them do.
 */
export function together<Key, Answer>(ask: (keys: readonly Key[]) => Promise<readonly Answer[]>) {
  let waiting: {
    readonly key: Key;
    readonly resolve: (answer: Answer) => void;
    readonly reject: (error: unknown) => void;
  }[] = [];
  let isAsking = false;
  const askAll = async (): Promise<void> => {
    isAsking = true;
    while (waiting.length > 0) {
      const asked = waiting;
      waiting = [];
      try {
        const answers = await ask(asked.map(({ key }) => key));
        for (const [at, { resolve }] of asked.entries()) resolve(answers[at] as Answer);
      } catch (error) {
        for (const { reject } of asked) reject(error);
      }
    }
    isAsking = false;
  };
  return (key: Key): Promise<Answer> =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (!isAsking) void askAll();
    });
}
