/** Bundles the bin: one file that starts fast and brings what it needs along. */
import { chmod } from "node:fs/promises";
import { build } from "esbuild";

/** Some dependencies are CommonJS: they call require for the platform's own modules and ask for their own file's name. */
const BANNER = `#!/usr/bin/env node
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
const __filename = import.meta.filename;`;

await build({
  entryPoints: { cli: "src/cli.ts" },
  outdir: "dist",
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  target: "node20",
  format: "esm",
  minifySyntax: true,
  minifyWhitespace: true,
  banner: { js: BANNER },
  legalComments: "none",
  logLevel: "warning",
});
await chmod("dist/cli.mjs", 0o755);
