/** One file a kind: what elsewhere has to spell the kinds out is compared with it, and nothing reads a content by the name of a field. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { KINDS } from "../../src/sessions/kinds/event.ts";
import { kindNamed } from "../../src/sessions/kinds/kinds.ts";
import { recordEvent } from "../../src/sessions/tools/definitions.ts";

it("each kind stands in the table under its own name, in a file of that name", () => {
  expect(KINDS.map((kind) => kindNamed(kind)?.name)).toEqual(KINDS);
  const files = readdirSync("src/sessions/kinds");
  expect(KINDS.filter((kind) => !files.includes(`${kind.replace("_", "-")}.ts`))).toEqual([]);
});

it("the database takes these kinds and no other", () => {
  expect(inSchema(/check \(kind in \(([^)]*)\)\)/)).toEqual(KINDS);
});

it("the ledger of the database has the kinds that have room there, in the window and in its index", () => {
  const inLedger = KINDS.filter((kind) => kindNamed(kind)?.mostInLedger !== undefined);
  const window = readFileSync("src/daemon/postgres/read-events.ts", "utf8");
  const named = [...window.matchAll(/(?:kind in \(|array\[)('decision'[^)\]]*)/g)].map(
    ([, kinds = ""]) => namesIn(kinds).sort(),
  );
  expect(named).toEqual([[...inLedger].sort(), [...inLedger].sort()]);
  expect(inSchema(/where kind in \(([^)]*)\)/).sort()).toEqual([...inLedger].sort());
});

/** The kinds that the schema names in such a place. */
function inSchema(place: RegExp): string[] {
  const schema = readFileSync("src/daemon/postgres/schema.sql", "utf8");
  return namesIn(place.exec(schema)?.[1] ?? "");
}

const namesIn = (sql: string): string[] =>
  [...sql.matchAll(/'(\w+)'/g)].map(([, kind = ""]) => kind);

it("the tool that records, or for an own loop its page, says of each kind which fields it has, which it needs, which are lists, and what they may be", () => {
  const page = readFileSync("docs/custom-agent.md", "utf8").replaceAll("\n", " ");
  const forLoops = page.match(/tool_(?:call|result) \{[^}]*\}/g) ?? [];
  const texts = [recordEvent.description, ...forLoops].join("\n");
  const described = [...texts.matchAll(/(\w+) \{([^}]*)\}(, with refs\*)?/g)].map(
    ([, kind = "", fields = "", refs]) => [
      kind,
      [...fields.split(/, (?!where )/), ...(refs ? ["refs*"] : [])].sort(),
    ],
  );
  const known = KINDS.flatMap((kind) => {
    const { form, fields } = kindNamed(kind) ?? {};
    if (!form || !fields) {
      return [];
    }
    const inWords = (name: string) => {
      const list = fields[name] === "texts" || fields[name] === "ids" ? "[]" : "";
      return `${name}${form.needs.includes(name) ? "*" : ""}${list}`;
    };
    const said = [...form.needs, ...form.may].map(inWords);
    return [[kind, [...said, ...(form.needsRefs ? ["refs*"] : [])].sort()]];
  });
  const withoutNotes = described.map(([kind, fields]) => [
    kind,
    (fields as string[]).map((field) => field.replace(/:.*/, "")),
  ]);
  expect(Object.fromEntries(withoutNotes)).toEqual(Object.fromEntries(known));
  expect([...recordEvent.input.shape.kind.options].sort()).toEqual(
    known.map(([kind]) => kind).sort(),
  );
  for (const [, name = "", values = ""] of recordEvent.description.matchAll(
    /(\w+): (\w+(?:\|\w+)+)/g,
  )) {
    const holders = KINDS.flatMap((kind) => kindNamed(kind)?.form?.oneOf?.[name] ?? []);
    expect(holders).toEqual(values.split("|"));
  }
});

it("nothing outside the kinds looks a field of an event up by a name that is not known before", () => {
  // Drafts before they are stored, rows whose ids are hidden, and an event as it is shown: all have every field, whatever its kind.
  const generic = /^(?:sessions\/(?:statements|kinds)\/|daemon\/postgres\/event-rows\.ts)/;
  // These name the fields with a type, so the compiler knows them.
  const typed = /^sessions\/(?:resume\/recent|bundle\/sections\/handoff)\.ts/;
  const paths = readdirSync("src", { recursive: true, encoding: "utf8" }).map((path) =>
    path.replaceAll("\\", "/"),
  );
  const sources = paths.filter((path) => /\.tsx?$/.test(path) && !path.endsWith(".test.ts"));
  const readers = sources.filter((path) =>
    /\bcontent\[/.test(readFileSync(join("src", path), "utf8")),
  );
  expect(readers.filter((path) => !generic.test(path) && !typed.test(path))).toEqual([]);
});
