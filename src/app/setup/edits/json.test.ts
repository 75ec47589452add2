import fc from "fast-check";
import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { addItem, addProperty, removeAt, replaceValue, valueAt } from "./json.ts";

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

describe("adding a property", () => {
  it("keeps comments, order and indentation", () => {
    expect(addProperty(KEPT_BY_HAND, PATH, ENTRY)).toBe(
      KEPT_BY_HAND.replace(
        "} // ask Kim\n",
        () => `}, // ask Kim
        "ours": {
            "command": "node",
            "args": [
                "-e",
                "x"
            ]
        }
`,
      ),
    );
  });

  it("makes the objects on the way", () => {
    expect(addProperty("{}\n", PATH, { a: 1 })).toBe(
      '{\n  "mcpServers": {\n    "ours": {\n      "a": 1\n    }\n  }\n}\n',
    );
  });

  it("leaves a dollar sign in a value alone", () => {
    expect(valueAt(addProperty(KEPT_BY_HAND, PATH, "$& $1 $`"), PATH)).toBe("$& $1 $`");
  });

  it.each(["[]", "{", '{"mcpServers": 1}', "", "{'a': 1}"])("refuses %s", (text) => {
    expect(() => addProperty(text, PATH, ENTRY)).toThrow(
      expect.objectContaining({ code: "config_unreadable" }),
    );
  });
});

describe("taking out what was put in gives the text from before", () => {
  const texts = {
    "kept by hand": KEPT_BY_HAND,
    "on one line": '{"mcpServers":{"a":{"b":1}},"c":2}',
    "with Windows line ends": KEPT_BY_HAND.replaceAll("\n", "\r\n"),
    "with tabs": KEPT_BY_HAND.replaceAll("    ", "\t"),
    "with trailing commas": '{\n  "mcpServers": {\n    "a": {"b": 1}, // c\n  },\n}\n',
    "without the container": '{\n  "other": true // yes\n}\n',
    empty: "{}\n",
    "closed on the last line": '{\n  "mcpServers": {\n    "a": 1 }\n}',
    "with a container on one line": '{\n  "mcpServers": { "a": 1 }\n}',
    "with a comment alone": "{\n  // nothing yet\n}\n",
  };
  it.each(Object.entries(texts))("%s", (_, text) => {
    const added = addProperty(text, PATH, ENTRY);
    expect(valueAt(added, PATH)).toEqual(ENTRY);
    expect(removeAt(added, PATH)).toBe(text);
  });

  it("whatever the file holds and however it is indented", () => {
    const indent = fc.constantFrom(0, 2, 4, "\t");
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), indent, (content, indentation) => {
        const text = JSON.stringify(content, null, indentation);
        fc.pre(!/__proto__|mcpServers|hooks/.test(text));
        const added = addItem(addProperty(text, PATH, ENTRY), ["hooks", "Stop"], ENTRY);
        expect(parse(added)).toEqual({
          ...JSON.parse(text),
          mcpServers: { ours: ENTRY },
          hooks: { Stop: [ENTRY] },
        });
        expect(removeAt(removeAt(added, ["hooks", "Stop", 0]), PATH)).toBe(text);
      }),
    );
  });
});

describe("taking out", () => {
  it("leaves what others added after it", () => {
    const text = '{\n  "a": {\n    "ours": 1,\n    "theirs": 2 // new\n  }\n}\n';
    expect(removeAt(text, ["a", "ours"])).toBe('{\n  "a": {\n    "theirs": 2 // new\n  }\n}\n');
  });

  it("keeps the comments around it", () => {
    const text = '{\n  "a": {\n    // before\n    "ours": 1 // on it\n    // after\n  }\n}\n';
    expect(removeAt(text, ["a", "ours"])).toContain("// before");
    expect(removeAt(text, ["a", "ours"])).toContain("// after");
  });

  it("takes one item of a list", () => {
    expect(removeAt('{"a": [1, 2, 3]}', ["a", 0])).toBe('{"a": [2, 3]}');
    expect(removeAt('{"a": [1, 2, 3]}', ["a", 1])).toBe('{"a": [1, 3]}');
    expect(removeAt('{"a": [1, 2, 3]}', ["a", 2])).toBe('{"a": [1, 2]}');
  });
});

it("replaces a value with the line ends of its file", () => {
  const text = '{\r\n  "a": { "b": 1 }\r\n}\r\n';
  expect(replaceValue(text, ["a"], { c: 2 })).toBe('{\r\n  "a": {\r\n    "c": 2\r\n  }\r\n}\r\n');
});

it("replaces a value where it stands", () => {
  expect(replaceValue(KEPT_BY_HAND, ["mcpServers", "docs"], { command: "$&" })).toBe(
    KEPT_BY_HAND.replace(
      '{ "command": "docs" }',
      () => '{\n            "command": "$&"\n        }',
    ),
  );
});
