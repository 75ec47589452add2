/** Bundles the bin: one file that starts fast and brings what it needs along. */
import { chmod } from "node:fs/promises";
import { build, type Plugin } from "esbuild";

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

await build({
  entryPoints: { cli: "src/cli.ts" },
  outdir: "dist",
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  target: "node20",
  format: "esm",
  splitting: true,
  chunkNames: "parts/[name]-[hash]",
  minify: true,
  banner: { js: BANNER },
  legalComments: "none",
  logLevel: "warning",
  plugins: [leaveOut],
});
await chmod("dist/cli.mjs", 0o755);
