import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { removeAt, setValue, valueAt } from "./json.ts";

const ENTRY = { command: "node", args: ["-e", "x"] };
const PATH = ["mcpServers", "ours"];

const KEPT_BY_HAND = `{
    // the team's servers
    "mcpServers": {
        "docs": { "command": "docs" }, // see the wiki
        /* needs the VPN */
        "db": {
            "command": "db"
        } // ask Kim
        // "old": {}
    },
    "other": [1, 2]
}
`;

/** The values in their order, without the objects and lists that were there and empty. */
function inOrder(text: string): string {
  const root = valueAt(text, []) as Record<string, unknown>;
  const hooks = root.hooks as Record<string, unknown> | undefined;
  if (hooks && isDeepStrictEqual(hooks.Stop, [])) {
    delete hooks.Stop;
  }
  for (const key of ["hooks", "mcpServers"]) {
    if (isDeepStrictEqual(root[key], {})) {
      delete root[key];
    }
  }
  return JSON.stringify(root);
}

const COMMENT = /\/\/ c, \{|\/\* c, \} \*\//g;

/** Objects of a few keys, as hands write them. */
const objects = fc.letrec<{ object: string; list: string; value: string }>((tie) => {
  const space = fc.constantFrom("", " ", "\n", "\r\n  ", "\t", " /* c, } */ ", " // c, {\n");
  const key = fc.constantFrom("a", "b", "검색", "mcpServers", "hooks", "Stop");
  const property = fc
    .tuple(key, space, tie("value"), space)
    .map(([name, before, value, after]) => ({ name, text: `"${name}":${before}${value}${after}` }));
  const properties = fc.uniqueArray(property, { selector: ({ name }) => name, maxLength: 4 });
  const item = fc.tuple(space, tie("value"), space).map((parts) => parts.join(""));
  const simple = fc.constantFrom("1", "null", '"x // y"', '"한,"', "{}", "[]");
  return {
    object: fc
      .tuple(space, properties, space, fc.boolean())
      .map(([before, all, after, isTrailing]) => {
        const comma = isTrailing && all.length > 0 ? "," : "";
        return `{${before}${all.map(({ text }) => text).join(`,${before}`)}${comma}${after}}`;
      }),
    list: fc.array(item, { maxLength: 3 }).map((all) => `[${all.join(",")}]`),
    value: fc.oneof({ depthSize: "small" }, simple, tie("object"), tie("list")),
  };
}).object;

describe("adding a property", () => {
  it("leaves a dollar sign in a value alone", () => {
    expect(valueAt(setValue(KEPT_BY_HAND, PATH, "$& $1 $`"), PATH)).toBe("$& $1 $`");
  });

  it.each(["[]", "{", '{"mcpServers": 1}', "", "{'a': 1}", '{"mcpServers": {}, "mcpServers": {}}'])(
    "refuses %s",
    (text) => {
      expect(() => setValue(text, PATH, ENTRY)).toThrow(
        expect.objectContaining({ code: "config_unreadable" }),
      );
    },
  );
});

it("refuses a key that is there twice, because readers choose different ones", () => {
  expect(() => valueAt('{"mcpServers": {"ours": 1, "ours": 2}}', PATH)).toThrow(
    "it has the key ours more than once",
  );
});

describe("removing an addition gives the text from before, apart from white space", () => {
  it("whatever the file holds, with comments and trailing commas anywhere", () => {
    fc.assert(
      fc.property(objects, (text) => {
        let added: string;
        try {
          added = setValue(setValue(text, PATH, ENTRY), ["hooks", "Stop", 0], ENTRY);
        } catch (error) {
          // The text has another value at one of our keys.
          expect(error).toMatchObject({ code: "config_unreadable" });
          return;
        }
        expect(valueAt(added, PATH)).toEqual(ENTRY);
        const items = valueAt(added, ["hooks", "Stop"]) as unknown[];
        expect(items[0]).toEqual(ENTRY);
        const rest = removeAt(added, ["hooks", "Stop", 0]);
        const before = removeAt(rest, PATH);
        expect(inOrder(before)).toBe(inOrder(text));
        for (const one of [added, before]) {
          expect(one.match(COMMENT)?.sort()).toEqual(text.match(COMMENT)?.sort());
        }
      }),
    );
  });
});

describe("removing", () => {
  it.each([
    '{\n  "a": {\n    // before\n    "ours": 1 // on it\n    // after\n  }\n}\n',
    '{\n  "a": {\n    "b": 1, // before\n    "ours": 1, // on it\n    // after\n    "c": 2\n  }\n}\n',
    '{ "a": { "b": 1, /* before */ "ours": 1 /* on it */, /* after */ } }',
    '{ "a": { // before\n "ours": 1 } /* on it */ /* after */ }',
  ])("keeps the comments around it: %j", (text) => {
    const rest = removeAt(text, ["a", "ours"]);
    expect(rest.match(/before|on it|after/g)).toEqual(["before", "on it", "after"]);
    const others = valueAt(text, []) as { a: Record<string, unknown> };
    delete others.a.ours;
    expect(valueAt(rest, [])).toEqual(others);
  });

  it("removes an object or list that only held it, unless it has a comment", () => {
    const text = '{"a": {"list": [{"ours": 1}]}, "b": 2}';
    expect(removeAt(text, ["a", "list", 0, "ours"])).toBe('{ "b": 2}');
    const commented = '{"a": /* theirs */ {"ours": 1}, "b": 2}';
    expect(removeAt(commented, ["a", "ours"])).toBe('{"a": /* theirs */ {}, "b": 2}');
  });

  it.each([
    [0, [2, 3]],
    [1, [1, 3]],
    [2, [1, 2]],
  ])("removes item %i of a list", (at, rest) => {
    expect(valueAt(removeAt('{"a": [1, 2, 3]}', ["a", at]), ["a"])).toEqual(rest);
  });
});

it("replaces a value with the line ends of its file", () => {
  const text = '{\r\n  "a": { "b": 1 }\r\n}\r\n';
  expect(setValue(text, ["a"], { c: 2 })).toBe('{\r\n  "a": {\r\n    "c": 2\r\n  }\r\n}\r\n');
});

it("replaces a value where it stands", () => {
  expect(setValue(KEPT_BY_HAND, ["mcpServers", "docs"], { command: "$&" })).toBe(
    KEPT_BY_HAND.replace(
      '{ "command": "docs" }',
      () => '{\n            "command": "$&"\n        }',
    ),
  );
});
