/** Sentences of documents and of source, and which of them read badly. */

/** Beginnings that make a reader look for the subject. A question may begin with "What". */
const BEGINNING = /^(?:Of|Those|Who|Whose|So many|As many)\b|^What\b[^?]*$/;
const PHRASE = /\b(?:(?:is|are) told|goes on|said of|holds? good|anew|thereby|whoever)\b/i;

/** What is wrong with a sentence: the words to change. */
export function faultOf(sentence: string): string | undefined {
  return (
    BEGINNING.exec(sentence)?.[0].split(" ").slice(0, 3).join(" ") ?? PHRASE.exec(sentence)?.[0]
  );
}

/**
 * The sentences of a Markdown text: of paragraphs, list items and cells of tables. Headings, code and what is generated from the source
 * do not count.
 */
export function sentencesOfMarkdown(text: string): string[] {
  const written = text.replace(/^<!-- (.+): generated .*-->\n[\s\S]*?<!-- end of \1 -->$/gm, "");
  const prose = written.replace(/^```.*\n[\s\S]*?^```$/gm, "\n\n").replace(/^#+ .*$/gm, "\n");
  return prose
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.|\|) ?)|(?<!\\)\|/)
    .map((part) => part.replace(/^\s*(?:[-*]|\d+\.)\s+/, ""))
    .flatMap(sentencesIn);
}

/** The sentences of the comments of a TypeScript file: of block comments, and of lines that begin with one. */
export function sentencesOfComments(text: string): string[] {
  const blocks = [...text.matchAll(/\/\*\*?([\s\S]*?)\*\//g)].map(([, block = ""]) =>
    block.replace(/^\s*\* ?/gm, ""),
  );
  const lines = text.match(/(?:^\s*\/\/ .*\n?)+/gm) ?? [];
  return [...blocks, ...lines.map((block) => block.replace(/^\s*\/\/ /gm, ""))]
    .flatMap((comment) => comment.split(/\n\s*\n|\n(?=\s*(?:-|@\w+))/))
    .map((part) => part.replace(/^\s*(?:-|@\w+(?: \w+(?= of ))?)\s+/, ""))
    .flatMap(sentencesIn);
}

/** The texts of a command's help: descriptions of the command, its arguments and its options. */
export function sentencesOfHelp(text: string): string[] {
  const texts = text.matchAll(
    /\.(?:description|summary|argument|option|requiredOption)\(([\s\S]*?)\)\n/g,
  );
  const strings = [...texts].flatMap(([, given = ""]) => [...given.matchAll(/"([^"\n]+)"/g)]);
  return strings.flatMap(([, string = ""]) =>
    sentencesIn(string.charAt(0).toUpperCase() + string.slice(1)),
  );
}

function sentencesIn(text: string): string[] {
  return text
    .replace(/\s+/g, " ")
    .split(/(?<=[.!?]["')*`]*) (?=[*"'`([]*\p{Lu})/u)
    .map((sentence) => sentence.trim().replace(/^[*_"'([\s]+/, ""))
    .filter((sentence) => sentence !== "");
}
