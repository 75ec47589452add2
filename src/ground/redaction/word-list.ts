interface Node {
  readonly next: Map<number, Node>;
  isEnd: boolean;
}

const SPACE = 0x20;
const LETTER = /[\p{L}\p{N}\p{M}]/u;
const WRITTEN_TOGETHER =
  /[\p{scx=Han}\p{scx=Hangul}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;

/**
 * @param words folded, without white space at their ends.
 * @returns a search of a folded text: the longest word at each place where one begins.
 */
export function findWordsOf(words: readonly string[]): (text: string) => { start: number; end: number }[] {
  const root = treeOf(words);
  return (text) => {
    const found: { start: number; end: number }[] = [];
    for (let start = 0; start < text.length; start++) {
      if (!root.next.has(codeAt(text, start))) continue;
      const end = isEdge(text, start) ? endOfLongest(root, text, start) : undefined;
      if (end !== undefined) found.push({ start, end });
    }
    return found;
  };
}

function treeOf(words: readonly string[]): Node {
  const root: Node = { next: new Map(), isEnd: false };
  for (const word of words) {
    let node = root;
    for (let i = 0; i < word.length; i = after(word, i)) {
      const code = codeAt(word, i);
      const next = node.next.get(code) ?? { next: new Map(), isEnd: false };
      node.next.set(code, next);
      node = next;
    }
    node.isEnd = true;
  }
  return root;
}

function endOfLongest(root: Node, text: string, start: number): number | undefined {
  let longest: number | undefined;
  let node = root.next.get(codeAt(text, start));
  for (let end = after(text, start); node; end = after(text, end)) {
    if (node.isEnd && isEdge(text, end)) longest = end;
    node = node.next.get(codeAt(text, end));
  }
  return longest;
}

/** The code unit at an index; one for all white space. */
const codeAt = (text: string, index: number): number => (isSpace(text, index) ? SPACE : text.charCodeAt(index));

/** The index behind a code unit, or behind all white space. */
function after(text: string, index: number): number {
  let next = index + 1;
  if (isSpace(text, index)) while (isSpace(text, next)) next++;
  return next;
}

function isSpace(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code === SPACE || (code >= 0x09 && code <= 0x0d) || code === 0x2028 || code === 0x2029;
}

/** Whether a word may begin or end here: not between two letters or digits of scripts with spaces. */
function isEdge(text: string, index: number): boolean {
  return !(isSpaced(characterBefore(text, index)) && isSpaced(characterAt(text, index)));
}

const isSpaced = (character: string): boolean => LETTER.test(character) && !WRITTEN_TOGETHER.test(character);

function characterAt(text: string, index: number): string {
  return index < text.length ? String.fromCodePoint(text.codePointAt(index) as number) : "";
}

function characterBefore(text: string, index: number): string {
  const isPair = /[\udc00-\udfff]/.test(text.charAt(index - 1)) && index > 1;
  return isPair ? characterAt(text, index - 2) : text.charAt(index - 1);
}
