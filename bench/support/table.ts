/** Figures as a person or a program reads them. */

export type Row = Readonly<Record<string, string | number>>;

export interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
}

/** Prints sections as Markdown tables, or all of them as one JSON text. */
export function print(sections: readonly Section[], json: boolean): void {
  if (json) {
    console.log(
      JSON.stringify(Object.fromEntries(sections.map(({ title, rows }) => [title, rows])), null, 2),
    );
  } else {
    for (const section of sections) {
      printTable(section);
    }
  }
}

/** The share of a sorted copy's values that lie below, e.g. 0.5 for the median. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

function printTable({ title, rows }: Section): void {
  const columns = Object.keys(rows[0] ?? {});
  const lines = [
    columns,
    columns.map(() => "---"),
    ...rows.map((row) => columns.map((column) => row[column])),
  ];
  console.log(`\n${title}\n\n${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}`);
}
