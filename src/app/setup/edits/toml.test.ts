import { describe, expect, it } from "vitest";
import { addTable, removeTable, tableAt } from "./toml.ts";

const PATH = ["mcp_servers", "sentinel-memory"] as const;
const TABLE = { command: "node", args: ["-e", "import('x')"] };

const KEPT_BY_HAND = `# ours, mind the order
model = "gpt-5"   # cheap

[mcp_servers.docs] # wiki
command = "docs"
args = [
  "a", # one
  "b",
]

# the profile for reviews
[profiles.review]
model = "o3"
`;

describe("a table in a TOML file kept by hand", () => {
  it("comes after everything else, which stays as it is", () => {
    expect(addTable(KEPT_BY_HAND, PATH, TABLE)).toBe(
      `${KEPT_BY_HAND}\n[mcp_servers.sentinel-memory]\ncommand = "node"\nargs = [ "-e", "import('x')" ]\n`,
    );
    expect(tableAt(addTable(KEPT_BY_HAND, PATH, TABLE), PATH)).toEqual(TABLE);
  });

  it.each([
    KEPT_BY_HAND,
    KEPT_BY_HAND.replaceAll("\n", "\r\n"),
    KEPT_BY_HAND.trimEnd(),
    "",
    "# nothing yet\n",
  ])("goes without a trace but white space (%#)", (text) => {
    expect(removeTable(addTable(text, PATH, TABLE), PATH).trimEnd()).toBe(text.trimEnd());
  });

  it("goes with the tables below it, and leaves what others added after it and the comment above theirs", () => {
    const added = `${addTable(KEPT_BY_HAND, PATH, TABLE)}[mcp_servers.sentinel-memory.env]\nA = "1"\n`;
    const others = '\n# for releases\n[profiles.release]\nmodel = "o4"\n';
    expect(removeTable(added + others, PATH)).toBe(KEPT_BY_HAND + others);
  });

  it.each([
    '[projects."/home/me/x"]',
    '[mcp_servers."@scope/x"]',
    '[mcp_servers."검색"]',
    "[[a.'b.c' . d]] # e",
  ])("goes and is replaced before %s, with a comment in its header", (header) => {
    const others = `\n${header}\nenabled = true\n`;
    const ours = '[mcp_servers.sentinel-memory] # mine\ncommand = "x"\n';
    expect(removeTable(ours + others, PATH)).toBe(others);
    expect(tableAt(addTable(removeTable(ours + others, PATH), PATH, TABLE), PATH)).toEqual(TABLE);
  });

  it.each([
    ['mcp_servers = { "sentinel-memory" = { command = "x" } }\n', removeTable],
    ['[mcp_servers]\nsentinel-memory = { command = "x" }\n', removeTable],
    ["a = \n", removeTable],
    ["mcp_servers = {}\n", (text: string) => addTable(text, PATH, TABLE)],
  ])("is left alone where it cannot be separated from the rest: %s", (text, change) => {
    expect(() => change(text, PATH)).toThrow(
      expect.objectContaining({ code: "config_unreadable" }),
    );
  });
});
