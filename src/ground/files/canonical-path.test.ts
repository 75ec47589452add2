import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testFolder } from "../../../test/support/in-test.ts";
import { canonicalPath } from "./canonical-path.ts";

it("is without links, and an error where nothing is there", () => {
  const folder = realpathSync(testFolder());
  mkdirSync(join(folder, "shop"));
  symlinkSync(join(folder, "shop"), join(folder, "link"));
  expect(canonicalPath(join(folder, "link"))).toBe(join(folder, "shop"));
  expect(() => canonicalPath(join(folder, "nothing"))).toThrow("ENOENT");
});
