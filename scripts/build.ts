/**
 * Bundles the program, the hooks, the viewer's page and the daemon. `dist/server/` has all that a repository can keep, which `init` copies.
 *
 * With `--for-tests` it goes to dist-test/ and differs in one module: src/ground/files/fault-points.ts is replaced by
 * test/faults/fault-points.ts, where the clock can be off and a process can be killed or stopped in the middle of a write. It has one
 * program more, which appends to a session log and purges it. No package holds that build.
 */
import { createHash } from "node:crypto";
import { chmod, cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";
import packageJson from "../package.json" with { type: "json" };
import releases from "../releases.json" with { type: "json" };
import { writeBuildStamp } from "./build-stamp.ts";
import { licenceOf, licencesOf } from "./licences.ts";

const forTests = process.argv.includes("--for-tests");
const outdir = forTests ? "dist-test" : "dist";
const server = `${outdir}/server`;
const { version } = packageJson;
const NAMED = `sentinel-memory ${version}, MIT; written by sentinel-memory init, not by hand`;
const WRITTEN = `// ${NAMED}`;

/** Some dependencies are CommonJS: they call require for the platform's own modules and ask for their own file's name. */
const REQUIRE = `import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
const __filename = import.meta.filename;`;

const faultPoints: Plugin = {
  name: "fault-points",
  setup(bundle) {
    bundle.onResolve({ filter: /\/fault-points\.ts$/ }, () => ({
      path: resolve("test/faults/fault-points.ts"),
    }));
  },
};

const shared = {
  outdir,
  bundle: true,
  platform: "node",
  target: "node20",
  minify: true,
  legalComments: "none",
  logLevel: "warning",
  metafile: true,
  // A package that has both is read as modules, so that what is not used stays out.
  mainFields: ["module", "main"],
  plugins: forTests ? [faultPoints] : [],
} satisfies BuildOptions;

await rm(outdir, { recursive: true, force: true });

/** The starter keeps to the syntax of old versions of Node, because it is what says that one is too old. */
const starter = await build({
  ...shared,
  entryPoints: { "server/sentinel-memory": "src/app/bin/start.ts" },
  outExtension: { ".js": ".cjs" },
  format: "cjs",
  target: "node12",
  minify: false,
  external: ["./program.cjs", "./hook.cjs"],
  banner: { js: `#!/usr/bin/env node\n${WRITTEN}` },
});

const programs = await build({
  ...shared,
  entryPoints: { "server/program": "src/app/bin/program.ts", "server/hook": "src/app/bin/hook.ts" },
  outExtension: { ".js": ".cjs" },
  format: "cjs",
  define: { "import.meta.dirname": "__dirname" },
  banner: { js: WRITTEN },
});

const page = await build({
  ...shared,
  platform: "browser",
  target: "es2022",
  entryPoints: {
    "server/viewer-page": "src/app/viewer/page/page.ts",
    "server/viewer-style": "src/app/viewer/page/style.css",
  },
  format: "esm",
  banner: { js: WRITTEN, css: `/* ${NAMED} */` },
});

/** What no repository keeps. */
const daemon = await build({
  ...shared,
  entryPoints: {
    daemon: "src/app/bin/daemon.ts",
    "daemon-thread": "src/app/bin/daemon-thread.ts",
    ...(forTests && { "event-worker": "test/faults/support/event-worker.ts" }),
  },
  outExtension: { ".js": ".mjs" },
  format: "esm",
  banner: { js: REQUIRE },
  // A driver in C, which is used where it is installed.
  external: ["pg-native"],
});
await cp("src/daemon/postgres/migrations", `${outdir}/migrations`, { recursive: true });

const bundles = [starter, programs, page, daemon].map(({ metafile }) => metafile);
const write = (name: string, text: string, mode = 0o644) =>
  writeFile(`${server}/${name}`, text, { mode });
await write("LICENCES.txt", `${licenceOf(".")}\n\n${licencesOf(bundles)}\n`);
// Short names for people, in a shell and in cmd.
const started = "sentinel-memory.cjs";
await write("sm", `#!/bin/sh\n# ${NAMED}\nexec node "$(dirname "$0")/${started}" "$@"\n`, 0o755);
await write("sm.cmd", `@rem ${NAMED}\n@node "%~dp0${started}" %*\n`, 0o755);
const sums = await sumsOf((await readdir(server)).filter((name) => name !== "LICENCES.txt").sort());
await write("SHA256SUMS", sums);
await writeFile(
  `${outdir}/releases.json`,
  `${JSON.stringify({ ...releases, [version]: sha256(sums) }, null, 2)}\n`,
);
const CLI = '#!/usr/bin/env node\nimport "./server/sentinel-memory.cjs";\n';
await writeFile(`${outdir}/cli.mjs`, CLI, { mode: 0o755 });
await chmod(`${server}/${started}`, 0o755);
await chmod(`${server}/hook.cjs`, 0o755);
writeBuildStamp(outdir, bundles);

async function sumsOf(names: readonly string[]): Promise<string> {
  const lines = names.map(
    async (name) => `${sha256(await readFile(`${server}/${name}`))}  ${name}\n`,
  );
  return (await Promise.all(lines)).join("");
}

function sha256(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}
