/** Constructions that plain English rarely has. Readers stumbled over each of them in the project's documents. */

/** A floor: a text without any can still read badly. */
const ODD: readonly RegExp[] = [
  /\bwhat (?:is|was|are|were|it|they|an?|others|can|may|has|had|follows|each|several|that|agents?|clients?|the)\b(?![^.?!]*\?)/gi,
  /\bwhere (?:there|it|they|some|no|nothing|one|two|both|that|an?|the|you|all|git|agents?|sessions?|clients?|lessons?)\b/gi,
  /\b(?:some|no|any|every)body\b/gi,
  /\bbeside\b/gi,
  /\b(?:stands?|stood)\b/gi,
  /\btak(?:e|es|en|ing) (?:\w+ ){0,3}out\b/gi,
  /\bof (?:its|their|your|our|one's|my) own\b|\bof (?:yours|ours|theirs|others)\b/gi,
  /\b(?:is|are|was|were|has|have) none\b/gi,
  /\b(?:so|as) many\b/gi,
  /\b(?:is|are) told\b|\b(?:goes on|said of|holds? good)\b/gi,
  /\b(?:it|that|they|those|this|everything|nothing|lesson|event|log)s? (?:goes|go|is gone|are gone)\b/gi,
  /\b(?:file|page|answer|table|line|text|note|error|test|command|doctor|log|event|server|list|column|field|index|hook|memory|lesson|result|option|search|status|that|which|it) (?:says|said|knows|names|tells|speaks)\b/gi,
  /\b(?:for good|all the same|anew|once more|at hand|thereby|wherein|whoever|mended?)\b/gi,
  /(?:^|[.!?] )(?:Of|Those|Who|Whose)\b(?![^.?!]*\?)/gm,
  /;(?=\s)/g,
];

/** The odd constructions in a text, with the words around each. */
export function oddIn(text: string): string[] {
  const oneLine = text.replace(/\s+/g, " ");
  return ODD.flatMap((pattern) =>
    [...oneLine.matchAll(pattern)].map(({ index }) =>
      oneLine.slice(Math.max(0, index - 40), index + 60),
    ),
  );
}

/** The prose of a Markdown text, without headings, code, addresses and tables generated from the source. */
export function proseOfMarkdown(text: string): string {
  return text
    .replace(/<!-- (.+?): generated[\s\S]*?<!-- end of \1 -->/g, " ")
    .replace(/```[\s\S]*?```/g, " ")
    .replace(/`[^`\n]*`/g, "X")
    .replace(/\]\([^)]*\)/g, "]")
    .replace(/^#+ .*$/gm, " ");
}

/** The comments of a TypeScript file. */
export function commentsOf(text: string): string {
  const found = text.matchAll(/\/\*\*?([\s\S]*?)\*\/|^\s*\/\/ (.*)$/gm);
  return [...found]
    .map(([, block, line]) => (block ?? line ?? "").replace(/^\s*\* ?/gm, " "))
    .join("\n");
}

/** The texts of one line in a TypeScript file that have three words in a row, such as errors and help. */
export function textsOf(text: string): string {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, " ").replace(/^\s*\/\/.*$/gm, "");
  const found = code.matchAll(/(?<=^[^"`/]*)(?:"((?:\\.|[^"\\\n])*)"|`((?:\\.|[^`\\\n])*)`)/gm);
  return [...found]
    .map(([, quoted, template]) => (quoted ?? template ?? "").replace(/\$\{[^}]*\}/g, "X"))
    .filter((string) => /[a-z]+ [a-z]+ [a-z]+/i.test(string))
    .join(".\n");
}
