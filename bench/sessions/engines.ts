/** Two simple searches to compare ours with. */

/** As `search_nodes` of @modelcontextprotocol/server-memory: the whole query, somewhere in the text, in file order. */
export function bySubstring<Item>(items: readonly Item[], textOf: (item: Item) => string) {
  const texts = items.map((item) => [item, textOf(item).toLowerCase()] as const);
  return (query: string) =>
    texts.filter(([, text]) => text.includes(query.toLowerCase())).map(([item]) => item);
}

export function byJaccard<Item>(items: readonly Item[], textOf: (item: Item) => string) {
  const sets = items.map((item) => [item, wordsOf(textOf(item))] as const);
  return (query: string) => {
    const asked = wordsOf(query);
    const scored = sets.map(([item, words]) => ({ item, score: jaccard(asked, words) }));
    const matching = scored.filter(({ score }) => score > 0);
    return matching.sort((a, b) => b.score - a.score).map(({ item }) => item);
  };
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const word of a) {
    if (b.has(word)) {
      common++;
    }
  }
  return common / (a.size + b.size - common);
}
