import { expect, it } from "vitest";
import { shownFile } from "./tool-targets.ts";

it.each([
  ["cat src/vat.ts", "src/vat.ts"],
  ["sed -n '1,200p' src/vat.ts", "src/vat.ts"],
  ["sed -n '200,$p' 'src/the rates.ts'", "src/the rates.ts"],
  ["sed -n 40p src/vat.ts", "src/vat.ts"],
  ["nl -ba src/vat.ts | sed -n '1,20p'", "src/vat.ts"],
  ["head -n 20 src/vat.ts", "src/vat.ts"],
  ["tail -20 src/vat.ts", "src/vat.ts"],
])("%s shows %s", (command, file) => {
  expect(shownFile(command)).toBe(file);
});

it.each([
  "cat a.ts b.ts",
  "cat src/*.ts",
  "cat a.ts > b.ts",
  "cat a.ts && rm a.ts",
  "cat $FILE",
  "cat",
  "cat a.ts | wc -l",
  "cat a.ts | head -5 b.ts",
  "sed -i 's/24/25/' src/vat.ts",
  "sed -n '/vat/p' src/vat.ts",
  "rg -n vat src/vat.ts",
  "",
])("'%s' names no file that it shows", (command) => {
  expect(shownFile(command)).toBeUndefined();
});
