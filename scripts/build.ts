/**
 * Bundles the bins, the server and the hook: files that start fast and bring what they need along.
 *
 * With `--for-tests` it goes to dist-test/ and differs in one module: src/files/fault-points.ts is replaced by test/faults/fault-points.ts,
 * where the clock can be off and a process can be killed or stopped in the middle of a write. It has one program more, which appends to
 * a record and purges it. No package holds that build.
 */
import { chmod, rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { writeBuildStamp } from "./build-stamp.ts";
import { licencesOf } from "./licences.ts";

/** Some dependencies are CommonJS: they call require for the platform's own modules and ask for their own file's name. */
const BANNER = `#!/usr/bin/env node
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
const __filename = import.meta.filename;`;

/**
 * Parts of dependencies that the server never reaches, which would cost a third of its start: the validator for answers to
 * elicitation, and the languages of zod's messages other than English.
 */
const UNREACHED: readonly (readonly [RegExp, string])[] = [
  [/validation\/ajv-provider\.js$/, "export class AjvJsonSchemaValidator {}"],
  [/zod\/v4\/locales\/index\.js$/, 'export { default as en } from "./en.js";'],
];

const leaveOut: Plugin = {
  name: "leave-out",
  setup(bundle) {
    for (const [filter, contents] of UNREACHED) bundle.onLoad({ filter }, () => ({ contents, loader: "js" }));
  },
};

const faultPoints: Plugin = {
  name: "test-seams",
  setup(bundle) {
    bundle.onResolve({ filter: /\/fault-points\.ts$/ }, () => ({ path: resolve("test/faults/fault-points.ts") }));
  },
};

const forTests = process.argv.includes("--for-tests");
const outdir = forTests ? "dist-test" : "dist";
await rm(outdir, { recursive: true, force: true });
const shared = {
  outdir,
  bundle: true,
  platform: "node",
  target: "node20",
  minify: true,
  legalComments: "none",
  logLevel: "warning",
  metafile: true,
  plugins: forTests ? [leaveOut, faultPoints] : [leaveOut],
} satisfies BuildOptions;

const server = await build({
  ...shared,
  entryPoints: { cli: "src/bin/cli.ts", ...(forTests && { "event-worker": "test/faults/support/event-worker.ts" }) },
  outExtension: { ".js": ".mjs" },
  format: "esm",
  splitting: true,
  chunkNames: "parts/[name]-[hash]",
  banner: { js: BANNER },
  // Its main file loads its parts in a way that no bundler follows.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
});

/** What few hooks need stays in a file of its own, which costs the others nothing: the parser of YAML is larger than all the rest. */
const seldomNeeded: Plugin = {
  name: "seldom-needed",
  setup(bundle) {
    bundle.onResolve({ filter: /\/read-policy\.ts$/ }, ({ kind }) =>
      kind === "dynamic-import" ? { path: "./parts/read-policy.cjs", external: true } : undefined,
    );
  },
};

/** One file each, and CommonJS: a hook runs with every prompt, and Node loads that some 15 ms sooner than modules in parts. */
const hooks = await build({
  ...shared,
  entryPoints: {
    hook: "src/bin/hook.ts",
    "record-hook": "src/bin/record-hook.ts",
    "parts/read-policy": "src/core/read-policy.ts",
  },
  plugins: [...shared.plugins, seldomNeeded],
  supported: { "dynamic-import": false },
  outExtension: { ".js": ".cjs" },
  format: "cjs",
  banner: { js: "#!/usr/bin/env node" },
});

const bundles = [server.metafile, hooks.metafile];
await writeFile(`${outdir}/LICENCES.txt`, `${licencesOf(bundles)}\n`);
for (const bin of ["cli.mjs", "hook.cjs", "record-hook.cjs"]) await chmod(`${outdir}/${bin}`, 0o755);
writeBuildStamp(outdir, bundles);
