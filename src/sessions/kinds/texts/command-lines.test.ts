import { expect, it } from "vitest";
import { isAmong, stagedBy } from "./command-lines.ts";

it.each([
  ['git add src/vat.ts docs && git commit -m "VAT"', ["src/vat.ts", "docs"]],
  ["cd web && rtk git -C .. add src/vat.ts", ["src/vat.ts"]],
  ["git add -A && git commit -m \"$(cat <<'EOF'\ngit add nothing\nEOF\n)\"", ["."]],
  ["git commit -am 'VAT'", ["."]],
  ["git commit --amend --no-edit", []],
  ["npm test", []],
])("%s hands over %j", (command, paths) => {
  expect(stagedBy(command)).toEqual(paths);
});

it("a file is among paths from any folder, below one of them, and among all", () => {
  const is = (path: string, ...staged: string[]) => isAmong(staged, path);
  expect(is("src/vat.ts", "src/vat.ts")).toBe(true);
  expect(is("web/src/vat.ts", "src/vat.ts")).toBe(true);
  expect(is("src/vat.ts", "/home/ann/app/src/vat.ts")).toBe(true);
  expect(is("src/vat.ts", "src")).toBe(true);
  expect(is("src/vat.ts", ".")).toBe(true);
  expect(is("src/vat.ts", "vat", "src/vat.test.ts", "docs")).toBe(false);
});
