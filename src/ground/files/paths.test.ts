import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testFolder } from "../../../test/support/in-test.ts";
import {
  canonicalPath,
  comparablePath,
  isWithin,
  keepDrive,
  platformPath,
  spellingsOf,
} from "./paths.ts";

const SHOP = "C:\\code\\My Shop";

it.each([SHOP, "c:\\code\\My Shop", "C:/code/My Shop", "/c:/code/My Shop", "c:/code/x/../My Shop"])(
  "%s is one folder on Windows, written as Windows does",
  (path) => {
    expect(platformPath(path, "win32")).toBe(SHOP);
  },
);

it("one place is compared alike in any case on Windows, and another is not", () => {
  const [shop, ...others] = [SHOP, "c:\\CODE\\my shop", "/C:/Code/my Shop"].map((path) =>
    comparablePath(path, "win32"),
  );
  expect(others).toEqual([shop, shop]);
  expect(comparablePath("D:\\code\\My Shop", "win32")).not.toBe(shop);
});

it("a share and an empty path stay what they are", () => {
  expect(platformPath("\\\\server\\share\\shop", "win32")).toBe("\\\\server\\share\\shop");
  expect(platformPath("", "win32")).toBe("");
});

it("a path has the case of the disk, and keeps the letter of a drive that is a share or a folder", () => {
  expect(keepDrive("c:\\CODE\\my shop", SHOP, "win32")).toBe(SHOP);
  expect(keepDrive("z:\\shop", "\\\\server\\code\\shop", "win32")).toBe("Z:\\shop");
  expect(keepDrive("s:\\", "C:\\code", "win32")).toBe("S:\\");
  expect(keepDrive("/Users/ann/App", "/Users/Ann/app", "darwin")).toBe("/Users/Ann/app");
});

it("a folder whose name begins like another's is not in it", () => {
  const inShop = ["/code/shop", "/code/shop/src", "/code/shop-c/src", "/code"].map((path) =>
    isWithin("/code/shop", path),
  );
  expect(inShop).toEqual([true, true, false, false]);
});

it("a transcript may spell a drive letter either way", () => {
  expect(spellingsOf(SHOP, "win32")).toEqual([SHOP, "c:\\code\\My Shop"]);
});

it.each(["/c:/code", "/Code/../shop", "c:\\code"])("%s is left alone elsewhere", (path) => {
  expect([platformPath(path, "linux"), comparablePath(path, "darwin")]).toEqual([path, path]);
  expect(spellingsOf(path, "linux")).toEqual([path]);
});

it("a canonical path is without links, and an error where nothing is there", () => {
  const folder = realpathSync(testFolder());
  mkdirSync(join(folder, "shop"));
  symlinkSync(join(folder, "shop"), join(folder, "link"));
  expect(canonicalPath(join(folder, "link"))).toBe(join(folder, "shop"));
  expect(() => canonicalPath(join(folder, "nothing"))).toThrow("ENOENT");
});
