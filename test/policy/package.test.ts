/** What somebody gets who installs the package, and what stays out of it. */
import { execSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { COPY_FILES } from "../../src/app/setup/server-copy.ts";
import { testFolder } from "../support/in-test.ts";

const MOST_BYTES = 4 * 1024 * 1024;
const MOST_DAEMON_BYTES = 1.5 * 1024 * 1024;
const MOST_COPY_BYTES = 2.5 * 1000 * 1000;
const DRIVER = /pg_advisory|SASLInitialResponse/;
const HTTP_SERVER = /node:http"|from"http"|require\("(?:node:)?(?:http|net|tls)"\)/;
/** How the environment variables begin that make a test build kill itself, stop, or be wrong about the time. */
const TEST_VARIABLE = "SENTINEL_TEST_";

interface Packed {
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly mode: number }[];
}

/** The text of all files of a build. */
function textOf(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) =>
    join(folder, name),
  );
  return files
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
}

describe("the package", () => {
  // Without its scripts, because one of them is the build, which would pull the files away from under other tests.
  const output = execSync("npm pack --dry-run --json --ignore-scripts", {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [packed] = JSON.parse(output.toString()) as [Packed];
  const paths = packed.files.map(({ path }) => path);

  it("holds the build, what to read, and nothing else", () => {
    const known =
      /^(dist\/(?!build-stamp).+|docs\/(?:.+\.md|bundle\.schema\.json|demo\.svg|viewer-\w+\.jpg)|examples\/(?:[\w/-]+\.mjs|daemon\/[\w.-]+)|bench\/README\.md|AGENTS\.md|SECURITY\.md|README(?:\.ko|\.zh)?\.md|LICENSE|CHANGELOG\.md|package\.json)$/;
    expect(paths.filter((path) => !known.test(path))).toEqual([]);
    expect(paths).toEqual(
      expect.arrayContaining([
        "dist/cli.mjs",
        "dist/server/LICENCES.txt",
        "README.md",
        "LICENSE",
        "package.json",
      ]),
    );
  });

  it("holds what its documents link to", () => {
    const documents = paths.filter((path) => path.endsWith(".md"));
    expect(documents).toEqual(
      expect.arrayContaining(["README.md", "docs/team.md", "docs/design/map.md"]),
    );
    const links = documents.flatMap((document) => {
      const targets = [...readFileSync(document, "utf8").matchAll(/\]\(([^)#\s:]+)(?:#[^)]*)?\)/g)];
      return targets.map(([, to = ""]) => ({ document, to: join(dirname(document), to) }));
    });
    expect(links.length).toBeGreaterThan(10);
    expect(links.filter(({ to }) => !paths.includes(to))).toEqual([]);
  });

  it("leaves out the passwords beside compose.yaml, like git and the image", () => {
    const folder = testFolder();
    cpSync("package.json", join(folder, "package.json"));
    const examples = "examples/daemon";
    mkdirSync(join(folder, examples), { recursive: true });
    for (const name of [".env", "compose.yaml"]) {
      writeFileSync(join(folder, examples, name), "a\n");
    }
    const listed = execSync("npm pack --dry-run --json --ignore-scripts", {
      cwd: folder,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [{ files }] = JSON.parse(listed.toString()) as [Packed];
    expect(files.map(({ path }) => path).sort()).toEqual([
      `${examples}/compose.yaml`,
      "package.json",
    ]);
    for (const list of [".gitignore", `${examples}/Dockerfile.dockerignore`]) {
      expect(readFileSync(list, "utf8")).toMatch(/^(?:\*\*\/)?\.env$/m);
    }
  });

  it("is small", () => {
    const daemon = statSync("dist/daemon.mjs").size + statSync("dist/daemon-thread.mjs").size;
    expect(daemon).toBeLessThan(MOST_DAEMON_BYTES);
    expect(packed.unpackedSize - daemon).toBeLessThan(MOST_BYTES);
  });

  it("has a copy for repositories that contains each file of the server's folder", () => {
    expect([...COPY_FILES].sort()).toEqual(readdirSync("dist/server").sort());
  });

  it("has no dependencies of its own", () => {
    const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Record<string, unknown>;
    for (const kind of ["dependencies", "peerDependencies", "optionalDependencies"]) {
      expect(manifest).not.toHaveProperty(kind);
    }
  });
});

describe("the bundles", () => {
  it("of agents hold no driver of databases, and the hook no server either", () => {
    const texts = readdirSync("dist/server").map((name) =>
      readFileSync(join("dist/server", name), "utf8"),
    );
    expect(texts.join("\n")).not.toMatch(DRIVER);
    expect(readFileSync("dist/server/hook.cjs", "utf8")).not.toMatch(HTTP_SERVER);
  });

  it("that a repository keeps are small", () => {
    const sizes = readdirSync("dist/server").map(
      (name) => statSync(join("dist/server", name)).size,
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_COPY_BYTES);
  });

  it("of the daemon holds both, so that the test above would notice", () => {
    const daemon = readFileSync("dist/daemon.mjs", "utf8");
    expect(daemon).toMatch(DRIVER);
    expect(daemon).toMatch(HTTP_SERVER);
  });

  it("are made of the packages as they are: the recipe names no file of one", () => {
    expect(readFileSync("scripts/build.ts", "utf8")).not.toMatch(/onLoad|node_modules|alias/);
  });
});

describe("the builds", () => {
  it("the shipped one has nothing of the tests in it", () => {
    expect(textOf("dist").includes(TEST_VARIABLE)).toBe(false);
  });

  it("the one for tests has, so that the test above would notice", () => {
    expect(textOf("dist-test").includes(TEST_VARIABLE)).toBe(true);
  });
});

describe("the lock file", () => {
  it("names no server, so that it installs from whichever registry is set", () => {
    expect(readFileSync("package-lock.json", "utf8")).not.toMatch(/"resolved":\s*"http/);
  });
});
