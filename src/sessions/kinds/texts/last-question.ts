/** The question with which a text ends, and the sentence before it. Pure. */

/** Quotes, brackets and emphasis may follow the mark. */
const ASKS = /[?？]["'”’)*_`\]]*$/;
const SENTENCE = /(?<=[.!?。？！]["'”’)*_`\]]*)\s+|\n+/;

/** @param most characters; a question that is longer is cut at its end. @returns undefined where the text does not end so. */
export function lastQuestion(text: string, most: number): string | undefined {
  const sentences = text.trim().split(SENTENCE);
  const question = sentences.at(-1) ?? "";
  if (!ASKS.test(question)) return undefined;
  const before = sentences.at(-2);
  const both = before === undefined ? question : `${before} ${question}`;
  return both.length <= most ? both : question;
}
