/** What keeps the tests trustworthy and no linter checks. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, it } from "vitest";

const files = ["test", "src"]
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
  )
  .filter((path) => /^test\/.*\.ts$|\.test\.ts$/.test(path))
  .map((path) => ({ path, text: readFileSync(path, "utf8") }));

it("tests that have a longer form run in the long tests", () => {
  const isLong = (path: string) =>
    path.endsWith(".long.test.ts") || path.startsWith("test/properties/");
  const imports = ({ path, text }: { path: string; text: string }) =>
    [...text.matchAll(/^import (?:.* from )?"(\.[^"]+)";$/gm)].map(([, name = ""]) =>
      normalize(join(dirname(path), name)),
    );
  const run = new Set(files.filter(({ path }) => isLong(path)).flatMap(imports));
  const longer = files.filter(({ text }) => /import \{[^}]*\bLONG\b[^}]*\} from/.test(text));
  expect(longer.length).toBeGreaterThan(3);
  expect(longer.map(({ path }) => path).filter((path) => !isLong(path) && !run.has(path))).toEqual(
    [],
  );
});

it("each mutant of test/mutants.json is one place of the source", () => {
  const mutants: { file: string; was: string }[] = JSON.parse(
    readFileSync("test/mutants.json", "utf8"),
  );
  const places = ({ file, was }: (typeof mutants)[number]) =>
    readFileSync(file, "utf8").split(was).length - 1;
  expect(mutants.filter((mutant) => places(mutant) !== 1)).toEqual([]);
});
