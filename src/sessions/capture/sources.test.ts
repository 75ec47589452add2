import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testFolder } from "../../../test/support/in-test.ts";
import { transcriptsWith } from "./sources.ts";

it("finds a mark anywhere in a file, also where two readings meet", async () => {
  const folder = testFolder();
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const border = write("border", `${"x".repeat(1024 * 1024 - 3)}"cwd":"/p"`);
  const paths = [
    write("first", '"cwd":"/p'),
    border,
    write("other", '"cwd":"/q'),
    join(folder, "gone"),
  ];
  expect(await transcriptsWith(['"cwd":"/o', '"cwd":"/p'], paths, 0)).toEqual(paths.slice(0, 2));
});

it("looks only at what changed since", async () => {
  const path = join(testFolder(), "old");
  writeFileSync(path, '"cwd":"/p');
  utimesSync(path, 1_000, 1_000);
  expect(await transcriptsWith(['"cwd":"/p'], [path], 1_000_000)).toEqual([path]);
  expect(await transcriptsWith(['"cwd":"/p'], [path], 1_010_000)).toEqual([]);
});
