/**
 * Bundles the bins, the server and the hook: files that start fast and bring what they need along.
 *
 * With `--for-tests` it goes to dist-test/ and differs in one module: src/ground/files/fault-points.ts is replaced by test/faults/fault-points.ts,
 * where the clock can be off and a process can be killed or stopped in the middle of a write. It has one program more, which appends to
 * a record and purges it. No package holds that build.
 */
import { createHash } from "node:crypto";
import { chmod, cp, readFile, rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";
import packageJson from "../package.json" with { type: "json" };
import releases from "../releases.json" with { type: "json" };
import { writeBuildStamp } from "./build-stamp.ts";
import { licenceOf, licencesOf } from "./licences.ts";

/** Some dependencies are CommonJS: they call require for the platform's own modules and ask for their own file's name. */
const BANNER = `#!/usr/bin/env node
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
const __filename = import.meta.filename;`;

/**
 * Parts of dependencies that are never reached, which would cost a third of the server's start and a tenth of a hook's: the validator for
 * answers to elicitation, the languages of zod's messages other than English, and the files of proper-lockfile, which gets its own from us.
 */
const UNREACHED: readonly (readonly [RegExp, string])[] = [
  [/validation\/ajv-provider\.js$/, "export class AjvJsonSchemaValidator {}"],
  [/zod\/v4\/locales\/index\.js$/, 'export { default as en } from "./en.js";'],
  [/graceful-fs\/graceful-fs\.js$/, 'module.exports = require("node:fs");'],
];

const leaveOut: Plugin = {
  name: "leave-out",
  setup(bundle) {
    for (const [filter, contents] of UNREACHED) bundle.onLoad({ filter }, () => ({ contents, loader: "js" }));
  },
};

/** The SDK's schemas of messages, about half of which the server never names. A bundler keeps them all: to make one may do something. */
const SCHEMA = /^((?:export )?const \w+Schema) = ([\s\S]+?);\n(?=[^\s}])/gm;

const leaveOutSchemas = changed("leave-out-schemas", /sdk\/dist\/esm\/types\.js$/, (source) =>
  source.replace(SCHEMA, "$1 = /* @__PURE__ */ (() => $2)();\n"),
);

/** How zod makes JSON Schema, which the list of tools is printed with. */
const TO_JSON_SCHEMA =
  /^ +inst\._zod\.processJSONSchema = .+;\n|(?<=(?:input|output): )createStandardJSONSchemaMethod\(.+?\)|createToJSONSchemaMethod\(.+?\)(?=\()/gm;

const leaveOutJsonSchema = changed("leave-out-json-schema", /zod\/v4\/classic\/schemas\.js$/, (source) =>
  source.replace(TO_JSON_SCHEMA, (code) => (code.startsWith(" ") ? "" : "undefined")),
);

/** Changes a file of a dependency, which has to have what is changed. */
function changed(name: string, filter: RegExp, change: (source: string) => string): Plugin {
  return {
    name,
    setup(bundle) {
      bundle.onLoad({ filter }, async ({ path }) => {
        const source = await readFile(path, "utf8");
        const contents = change(source);
        if (contents === source) throw new Error(`${path} has nothing of the form that is known here.`);
        return { contents, loader: "js" };
      });
    },
  };
}

const faultPoints: Plugin = {
  name: "test-seams",
  setup(bundle) {
    bundle.onResolve({ filter: /\/fault-points\.ts$/ }, () => ({ path: resolve("test/faults/fault-points.ts") }));
  },
};

const { name, version, engines } = packageJson;

/** Runs a module now and keeps its values, so that nothing of what they are made with is in a bundle; of the manifest what a program asks for. */
const print: Plugin = {
  name: "print",
  setup(bundle) {
    const manifest = JSON.stringify({ name, version, engines });
    bundle.onLoad({ filter: /package\.json$/ }, () => ({ contents: manifest, loader: "json" }));
    bundle.onLoad({ filter: /\/printed\.ts$/ }, async ({ path }) => {
      const values = Object.entries(await import(path));
      return { contents: values.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`).join("\n") };
    });
  },
};

/** Leaves modules out that are bundles of their own. @param paths where they are, by name, as the one that loads them sees it. */
function apart(paths: Readonly<Record<string, string>>): Plugin {
  return {
    name: "apart",
    setup(bundle) {
      bundle.onResolve({ filter: /^\.\/\w+\.ts$/ }, ({ kind, path }) => {
        const found = paths[path.slice(2, -3)];
        return kind === "dynamic-import" && found !== undefined ? { path: found, external: true } : undefined;
      });
    },
  };
}

const OWN_PATTERNS = "src/ground/redaction/own-patterns.ts";

/**
 * Parts that few hooks need, in files of their own, which cost the others nothing: all that an answer takes, the parser of YAML, the
 * redactor, and patterns.
 */
const SELDOM_NEEDED = {
  "answer-payload": "src/app/hooks/answer-payload.ts",
  "parts/read-policy": "src/ground/core/read-policy.ts",
  "parts/adopt": "src/lessons/changes/adopt.ts",
  "parts/own-patterns": OWN_PATTERNS,
};

/**
 * Leaves modules out that are CommonJS files of their own. A file has classes of its own, so that the bundle does not know its errors: a
 * module that throws them is for hooks alone, which end in silence.
 * @param parts files of the source, by the name of the part. @param from the folder of the parts, as the bundle sees it.
 */
function inParts(parts: Readonly<Record<string, string>>, from = "./parts"): Plugin {
  return {
    name: "in-parts",
    setup(bundle) {
      bundle.onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
        const [part] = Object.entries(parts).find(([, file]) => resolve(resolveDir, path) === resolve(file)) ?? [];
        return part !== undefined && kind === "dynamic-import"
          ? { path: `${from}/${part}.cjs`, external: true }
          : undefined;
      });
    },
  };
}

const PATTERNS = { "own-patterns": OWN_PATTERNS };

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
  plugins: [leaveOut, leaveOutSchemas, print, ...(forTests ? [faultPoints] : [])],
} satisfies BuildOptions;

const server = await build({
  ...shared,
  entryPoints: {
    "parts/calls": "src/app/bin/calls.ts",
    ...(forTests && { "event-worker": "test/faults/support/event-worker.ts" }),
  },
  outExtension: { ".js": ".mjs" },
  format: "esm",
  splitting: true,
  chunkNames: "parts/[name]-[hash]",
  banner: { js: BANNER },
  // Its parts lie beside each other.
  plugins: [...shared.plugins, leaveOutJsonSchema, inParts(PATTERNS, ".")],
});

/** What answers the handshake, in one file: Node takes a millisecond and more for every module that it loads. */
const start = await build({
  ...shared,
  entryPoints: { cli: "src/app/bin/cli.ts" },
  outExtension: { ".js": ".mjs" },
  format: "esm",
  banner: { js: BANNER },
  plugins: [
    ...shared.plugins,
    apart({ calls: "./parts/calls.mjs", commands: "./commands.mjs" }),
    inParts({ "read-policy": SELDOM_NEEDED["parts/read-policy"] }),
  ],
});

/** One file each, too. */
const whole = await build({
  ...shared,
  entryPoints: {
    commands: "src/app/bin/commands.ts",
    daemon: "src/app/bin/daemon.ts",
    viewer: "src/app/bin/viewer.ts",
  },
  outExtension: { ".js": ".mjs" },
  format: "esm",
  banner: { js: BANNER },
  // Its main file loads its parts in a way that no bundler follows.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
  // A driver in C, which is used where it is installed.
  external: ["pg-native"],
  plugins: [...shared.plugins, apart({ daemon: "./daemon.mjs", viewer: "./viewer.mjs" }), inParts(PATTERNS)],
});
await cp("src/daemon/postgres/migrations", `${outdir}/migrations`, { recursive: true });

/** The viewer's page, for browsers. */
const page = await build({
  ...shared,
  platform: "browser",
  target: "es2022",
  outdir: `${outdir}/viewer`,
  entryPoints: { page: "src/app/viewer/page/page.ts", style: "src/app/viewer/page/style.css" },
  format: "esm",
  plugins: [],
});

/** One file each, and CommonJS: a hook runs with every prompt, and Node loads that some 15 ms sooner than modules in parts. */
const hooks = await build({
  ...shared,
  entryPoints: {
    hook: "src/app/bin/hook.ts",
    "record-hook": "src/app/bin/record-hook.ts",
    ...SELDOM_NEEDED,
  },
  plugins: [...shared.plugins, inParts(SELDOM_NEEDED, ".")],
  supported: { "dynamic-import": false },
  outExtension: { ".js": ".cjs" },
  format: "cjs",
  banner: { js: "#!/usr/bin/env node" },
  define: { "import.meta.dirname": "__dirname" },
});

/** All but the daemon in one file, which `init --vendor` copies into a repository. What a start does not need is not run. */
const oneFile = await build({
  ...shared,
  outdir: `${outdir}/server`,
  entryPoints: { "sentinel-memory": "src/app/bin/one-file.ts" },
  plugins: [...shared.plugins, leaveOutJsonSchema, apart({ daemon: "./daemon.mjs", viewer: "./viewer.mjs" })],
  supported: { "dynamic-import": false },
  outExtension: { ".js": ".cjs" },
  format: "cjs",
  banner: {
    js: `#!/usr/bin/env node\n// sentinel-memory ${version}, MIT; written by sentinel-memory init --vendor, not by hand`,
  },
  define: { "import.meta.dirname": "__dirname" },
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
});

const bundles = [start.metafile, server.metafile, whole.metafile, page.metafile, hooks.metafile, oneFile.metafile];
const licences = licencesOf(bundles);
await writeFile(`${outdir}/server/LICENCES.txt`, `${licenceOf(".")}\n\n${licences}\n`);
const hash = createHash("sha256")
  .update(await readFile(`${outdir}/server/sentinel-memory.cjs`))
  .digest("hex");
await writeFile(`${outdir}/server/SHA256SUMS`, `${hash}  sentinel-memory.cjs\n`);
await writeFile(`${outdir}/releases.json`, `${JSON.stringify({ ...releases, [version]: hash }, null, 2)}\n`);
for (const bin of ["cli.mjs", "hook.cjs", "record-hook.cjs"]) await chmod(`${outdir}/${bin}`, 0o755);
writeBuildStamp(outdir, bundles);
