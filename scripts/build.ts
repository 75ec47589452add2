/**
 * Bundles the program, the hooks, the viewer's page and the daemon. `init` copies `dist/server/` into repositories.
 *
 * With `--for-tests` it goes to dist-test/, has one program more, and takes test/faults/fault-points.ts in place of
 * src/ground/files/fault-points.ts, so that a test can kill a process in the middle of a write. No package holds that build.
 */
import { createHash } from "node:crypto";
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";
import packageJson from "../package.json" with { type: "json" };
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

const sha256 = (content: string | Buffer) => createHash("sha256").update(content).digest("hex");

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
  banner: { js: `#!/usr/bin/env node\n${WRITTEN}` },
});

const page = await build({
  ...shared,
  platform: "browser",
  target: "es2022",
  entryPoints: {
    "server/viewer-page": "src/app/viewer/page/page.tsx",
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
await cp("src/daemon/postgres/schema.sql", `${outdir}/schema.sql`);

const bundles = [starter, programs, page, daemon].map(({ metafile }) => metafile);
const licences = `${licenceOf(".")}\n\n${licencesOf(bundles)}\n`;
await writeFile(`${server}/LICENCES.txt`, licences);
// Short names for people, in a shell and in cmd.
const SHELL = `#!/bin/sh\n# ${NAMED}\nexec node "$(dirname "$0")/sentinel-memory.cjs" "$@"\n`;
const CMD = `@rem ${NAMED}\n@node "%~dp0sentinel-memory.cjs" %*\n`;
await writeFile(`${server}/sm`, SHELL, { mode: 0o755 });
await writeFile(`${server}/sm.cmd`, CMD, { mode: 0o755 });
const names = (await readdir(server)).filter((name) => name !== "LICENCES.txt").sort();
let sums = "";
for (const name of names) {
  sums += `${sha256(await readFile(`${server}/${name}`))}  ${name}\n`;
}
await writeFile(`${server}/SHA256SUMS`, sums);
const CLI = '#!/usr/bin/env node\nimport "./server/sentinel-memory.cjs";\n';
await writeFile(`${outdir}/cli.mjs`, CLI, { mode: 0o755 });
writeBuildStamp(outdir, bundles);
