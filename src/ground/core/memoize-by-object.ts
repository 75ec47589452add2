/** The same pure function of an object that never changes, which makes an answer once for each as long as anybody has the object. */
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
