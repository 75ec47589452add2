import { expect, it } from "vitest";
import { globsIn } from "./notes-in.ts";

it.each<[string, readonly string[]]>([
  [
    "globs: src/**/*.{ts,tsx},lib/{a,{b,c}}/*.go, docs/*.md",
    ["src/**/*.ts", "src/**/*.tsx", "lib/a/*.go", "lib/b/*.go", "lib/c/*.go", "docs/*.md"],
  ],
  ['globs: [\n  "app/**/*.rb",\n  "spec/**"\n]', ["app/**/*.rb", "spec/**"]],
  ["paths:\n- crates/*/src/**  # all of them\n- Cargo.toml", ["crates/*/src/**", "Cargo.toml"]],
  ['applyTo: "**/*.ts,**/*.tsx"', ["**/*.ts", "**/*.tsx"]],
  ["applyTo: '**'", []],
  ["globs:", []],
  ["globs: **/*", []],
])("the files of a rule, as people write them: %s", (field, globs) => {
  expect(globsIn(`description: About it\n${field}\nalwaysApply: false`)).toEqual(globs);
});

it("globs that exclude files, and more than a lesson holds, are left out", () => {
  expect(globsIn("globs: src/**, !src/gen/**")).toEqual(["src/**"]);
  expect(globsIn("globs: *.{a,b,c,d,e,f,g,h,i,j}")).toHaveLength(8);
  expect(globsIn(`globs: src/${"{a,b}".repeat(40)}.ts`)).toEqual([]);
});
