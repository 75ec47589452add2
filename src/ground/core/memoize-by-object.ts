/** Caches a pure function of an immutable object. Each result is kept until the object is garbage-collected. */
export function memoizeByObject<Of extends object, Answer>(
  answer: (of: Of) => Answer,
): (of: Of) => Answer {
  const known = new WeakMap<Of, { readonly answer: Answer }>();
  return (of) => {
    const made = known.get(of) ?? { answer: answer(of) };
    known.set(of, made);
    return made.answer;
  };
}
