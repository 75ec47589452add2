/**
 * Imports run one way, and the linter says so (biome.json). Here the rules themselves are tried: offending files in a folder of
 * their own, laid out like the source, under the project's own rules.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runProcess } from "../scenarios/run-process.ts";

const SDK = "@modelcontextprotocol/sdk/types.js";

/** What each folder may not import, as its files would write it. */
const FORBIDDEN: Readonly<Record<string, readonly string[]>> = {
  "src/memory": [
    ...["node:fs", "node:fs/promises", "node:child_process", "node:net", "node:os", "node:timers/promises", SDK],
    ...["../store/jsonl-store.ts", "../mcp/tool.ts", "../commands/show.ts", "../hooks/read.ts", "../setup/plan.ts"],
    ...["../doctor/git.ts", "../project.ts", "../log.ts", "../config.ts", "../cli.ts"],
  ],
  "src/memory/sanitizer": ["node:fs", "../../store/trash.ts", "../../log.ts"],
  "src/store": [
    ...["node:child_process", "node:net", "../mcp/tool.ts", "../commands/show.ts", "../hooks/read.ts"],
    ...["../setup/plan.ts", "../doctor/git.ts", "../cli.ts", SDK],
  ],
  "src/mcp": [
    ...["../store/jsonl-store.ts", "../store/trash.ts", "../project.ts", "../commands/show.ts", "../hooks/read.ts"],
    ...["../setup/plan.ts", "../doctor/git.ts", "../cli.ts", "node:fs", "node:fs/promises", "node:child_process"],
  ],
  "src/mcp/handlers": ["../../store/jsonl-store.ts", "node:fs/promises"],
  "src/commands": ["../mcp/tool.ts", "../hooks/read.ts", "../cli.ts", SDK],
  "src/hooks": ["../mcp/tool.ts", "../commands/show.ts", "../setup/plan.ts", "../doctor/git.ts", "../cli.ts", SDK],
  "src/setup": ["../mcp/tool.ts", "../commands/show.ts", "../hooks/read.ts", "../doctor/git.ts", "../cli.ts", SDK],
  "src/doctor": ["../mcp/tool.ts", "../commands/show.ts", "../hooks/read.ts", "../cli.ts", SDK],
  src: ["./memory/ledger.ts", "./store/trash.ts", "./mcp/tool.ts", "./setup/plan.ts", "./cli.ts", SDK],
};

/** Examples of what stays allowed: a rule that forbids everything would pass the rest of this file. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  "src/memory": ["node:crypto", "node:buffer", "../errors.ts", "./ledger.ts"],
  "src/store": ["node:fs/promises", "../memory/ledger.ts"],
  "src/mcp": ["../store/memory-store.ts", "../memory/ledger.ts", "../log.ts", SDK],
  "src/commands": ["../store/jsonl-store.ts", "../setup/plan.ts", "../doctor/git.ts", "node:fs/promises"],
  "src/setup": ["../store/trash.ts", "node:fs"],
  "src/doctor": ["../store/file-lock.ts", "../memory/client-budgets.ts", "../setup/clients.ts"],
  test: [SDK, "../src/mcp/tool.ts"],
};

/** The ways to write an import. */
const FORMS: Readonly<Record<string, (from: string) => string>> = {
  import: (from) => `import "${from}";`,
  type: (from) => `import type { Thing } from "${from}";`,
  export: (from) => `export * from "${from}";`,
  dynamic: (from) => `await import("${from}");`,
};

interface Trial {
  readonly file: string;
  readonly text: string;
}

/** The bin may import every layer, so it has a rule of its own: all but the SDK. */
const bin = { file: "src/bin/cli.ts", text: `import "${SDK}";` };
const forbidden = [...trials(FORBIDDEN, "forbidden"), bin];
const allowed = trials(ALLOWED, "allowed");
let folder: string;
let reported: ReadonlySet<string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "sentinel-layers-"));
  // The folder is no repository, so the rule about ignored files is the one thing that is left out.
  const rules = { ...JSON.parse(readFileSync("biome.json", "utf8")), vcs: { enabled: false } };
  for (const { file, text } of [{ file: "biome.json", text: JSON.stringify(rules) }, ...forbidden, ...allowed]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), `${text}\n`);
  }
  reported = await filesReported(folder);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the linter's rules on layers", () => {
  it.each(Object.keys(FORBIDDEN))("what %s may not import is reported, in every form", (layer) => {
    const offending = forbidden.filter(({ file }) => dirname(file) === layer);
    expect(offending.length).toBeGreaterThan(0);
    expect(offending.filter(({ file }) => !reported.has(file)).map(({ text }) => text)).toEqual([]);
  });

  it("what is allowed is not", () => {
    expect(allowed.filter(({ file }) => reported.has(file))).toEqual([]);
  });
});

function trials(imports: Readonly<Record<string, readonly string[]>>, name: string): Trial[] {
  return Object.entries(imports).flatMap(([layer, sources]) =>
    sources.flatMap((from, index) =>
      Object.entries(FORMS).map(([form, write]) => ({
        file: `${layer}/${name}-${index}-${form}.ts`,
        text: write(from),
      })),
    ),
  );
}

/** The files in which the linter finds a restricted import. */
async function filesReported(cwd: string): Promise<Set<string>> {
  const biome = createRequire(import.meta.url).resolve("@biomejs/biome/bin/biome");
  const options = ["--only=style/noRestrictedImports", "--reporter=json", "--max-diagnostics=none"];
  const env = { PATH: process.env.PATH ?? "", HOME: cwd };
  const { stdout } = await runProcess(process.execPath, [biome, "lint", ...options], { env, cwd });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { category: string; location: { path: string } }[] };
  const found = diagnostics.filter(({ category }) => category === "lint/style/noRestrictedImports");
  return new Set(found.map(({ location }) => location.path.replaceAll("\\", "/")));
}
