/** One file a kind: what elsewhere has to spell the kinds out is compared with it, and nothing reads a content by the name of a field. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { KINDS } from "../../src/events/event.ts";
import { kindNamed } from "../../src/events/kinds/kinds.ts";

it("each kind stands in the table under its own name, in a file of that name", () => {
  expect(KINDS.map((kind) => kindNamed(kind)?.name)).toEqual(KINDS);
  const files = readdirSync("src/events/kinds");
  expect(KINDS.filter((kind) => !files.includes(`${kind.replace("_", "-")}.ts`))).toEqual([]);
});

it("the database takes these kinds and no other", () => {
  const sql = readFileSync("src/postgres/migrations/001-tables.sql", "utf8");
  const [, named = ""] = /check \(kind in \(([^)]*)\)\)/.exec(sql) ?? [];
  expect([...named.matchAll(/'(\w+)'/g)].map(([, kind]) => kind)).toEqual(KINDS);
});
