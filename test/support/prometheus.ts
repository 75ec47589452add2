/** What Prometheus reads. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What a text holds in the format that Prometheus reads. @throws Error for a line that it would not read. */
export function parseMetrics(text: string): { types: Map<string, string>; samples: Sample[] } {
  const types = new Map<string, string>();
  const helped = new Set<string>();
  const samples: Sample[] = [];
  if (!text.endsWith("\n")) {
    throw new Error("The last line has no end.");
  }
  for (const line of text.slice(0, -1).split("\n")) {
    const [, comment, of = "", rest = ""] =
      /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.+)$/.exec(line) ?? [];
    if (comment === "HELP") {
      helped.add(of);
    } else if (comment === "TYPE") {
      types.set(of, rest);
    } else {
      const [, name, labels = "", value] =
        /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      const pairs = [...labels.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/g)];
      if (name === undefined || pairs.map(([pair]) => pair).join("") !== labels) {
        throw new Error(line);
      }
      const number = Number(value);
      if (Number.isNaN(number)) {
        throw new Error(line);
      }
      const family = name.replace(/_(?:bucket|sum|count)$/, "");
      const type = types.get(name) ?? types.get(family);
      if (type === undefined || !helped.has(types.has(name) ? name : family)) {
        throw new Error(`No type before ${line}`);
      }
      samples.push({
        name,
        labels: Object.fromEntries(pairs.map(([, label, held]) => [label, held])),
        value: number,
      });
    }
  }
  return { types, samples };
}
