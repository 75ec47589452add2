/** Questions over recorded sessions, with what answers them. */

export interface Question {
  readonly id: string;
  readonly question: string;
  /** Other words for the same things, as a caller adds them. */
  readonly words?: string;
  readonly answer: readonly (string | { readonly regex: string })[];
}

/** White space counts as one space. */
export function isAnswered({ answer }: Question, text: string): boolean {
  const flat = oneSpaced(text);
  return answer.some((one) =>
    typeof one === "string" ? flat.includes(oneSpaced(one)) : new RegExp(one.regex).test(flat),
  );
}

function oneSpaced(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}
