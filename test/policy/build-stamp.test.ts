/** A run on a build that is older than its sources would be green for the wrong code. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BuildOptions, build } from "esbuild";
import { expect, it } from "vitest";
import { isBuildFresh, writeBuildStamp } from "../../scripts/build-stamp.ts";
import { failUnlessFresh } from "../support/fresh-build.ts";
import { testFolder } from "../support/in-test.ts";

/** A program of two files, built and stamped. */
async function buildProgram(): Promise<{ folder: string; part: string }> {
  const root = testFolder();
  const [folder, main, part] = [join(root, "out"), join(root, "main.ts"), join(root, "part.ts")];
  mkdirSync(folder);
  writeFileSync(main, 'import { two } from "./part.ts";\nconsole.log(two);\n');
  writeFileSync(part, "export const two = 2;\n");
  const options = {
    entryPoints: [main],
    outdir: folder,
    bundle: true,
    metafile: true,
  } satisfies BuildOptions;
  writeBuildStamp(folder, [(await build(options)).metafile]);
  return { folder, part };
}

it("a build is fresh until one of its files changes, and again when the change is undone", async () => {
  const { folder, part } = await buildProgram();
  expect(isBuildFresh(folder)).toBe(true);
  writeFileSync(part, "export const two = 3;\n");
  expect(isBuildFresh(folder)).toBe(false);
  expect(() => failUnlessFresh(folder, "npm run build")).toThrow(
    /^.*is missing or older.*run `npm run build` first\.$/,
  );
  writeFileSync(part, "export const two = 2;\n");
  expect(isBuildFresh(folder)).toBe(true);
});

it("a build is not fresh when one of its files or the build itself is gone", async () => {
  const { folder, part } = await buildProgram();
  rmSync(part);
  expect(isBuildFresh(folder)).toBe(false);
  rmSync(folder, { recursive: true });
  expect(isBuildFresh(folder)).toBe(false);
});
