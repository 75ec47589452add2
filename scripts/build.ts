/**
 * Bundles the program, the hooks and the daemon: files that start fast and bring what they need along. `server/` has all that a repository
 * can keep, which `init` copies.
 *
 * With `--for-tests` it goes to dist-test/ and differs in one module: src/ground/files/fault-points.ts is replaced by test/faults/fault-points.ts,
 * where the clock can be off and a process can be killed or stopped in the middle of a write. It has one program more, which appends to
 * a record and purges it. No package holds that build.
 */
import { createHash } from "node:crypto";
import { chmod, cp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";
import packageJson from "../package.json" with { type: "json" };
import releases from "../releases.json" with { type: "json" };
import { writeBuildStamp } from "./build-stamp.ts";
import { licenceOf, licencesOf } from "./licences.ts";

/** Some dependencies are CommonJS: they call require for the platform's own modules and ask for their own file's name. */
const REQUIRE = `import { createRequire } from "node:module";
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
    for (const [filter, contents] of UNREACHED)
      bundle.onLoad({ filter }, () => ({ contents, loader: "js" }));
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

const leaveOutJsonSchema = changed(
  "leave-out-json-schema",
  /zod\/v4\/classic\/schemas\.js$/,
  (source) => source.replace(TO_JSON_SCHEMA, (code) => (code.startsWith(" ") ? "" : "undefined")),
);

/** Replaces a file atomically from a process of one thread, under a lock: a number by chance names the staged file as well as a hash does. */
const nameByChance = changed("name-by-chance", /write-file-atomic\/lib\/index\.js$/, (source) =>
  source
    .replace("const crypto = require('node:crypto')", "")
    .replace(/crypto\.createHash[\s\S]+?readUInt32BE\(0\)/, "Math.floor(Math.random() * 2 ** 32)")
    .replace(/const threadId = [\s\S]+?\}\)\(\)/, ""),
);

/** Changes a file of a dependency, which has to have what is changed. */
function changed(name: string, filter: RegExp, change: (source: string) => string): Plugin {
  return {
    name,
    setup(bundle) {
      bundle.onLoad({ filter }, async ({ path }) => {
        const source = await readFile(path, "utf8");
        const contents = change(source);
        if (contents === source)
          throw new Error(`${path} has nothing of the form that is known here.`);
        return { contents, loader: "js" };
      });
    },
  };
}

const faultPoints: Plugin = {
  name: "test-seams",
  setup(bundle) {
    bundle.onResolve({ filter: /\/fault-points\.ts$/ }, () => ({
      path: resolve("test/faults/fault-points.ts"),
    }));
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
      return {
        contents: values
          .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
          .join("\n"),
      };
    });
  },
};

/**
 * Leaves out what is loaded late and has a file of its own. A file has classes of its own, so that a bundle does not know its errors: a
 * module that throws them has the whole of a bundle's work behind it, or is for hooks, which end in silence.
 * @param parts where they are, as the bundle sees it, by their source.
 */
function apart(parts: Readonly<Record<string, string>>): Plugin {
  const places = new Map(Object.entries(parts).map(([file, path]) => [resolve(file), path]));
  return {
    name: "apart",
    setup(bundle) {
      bundle.onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
        const place = kind === "dynamic-import" ? places.get(resolve(resolveDir, path)) : undefined;
        return place === undefined ? undefined : { path: place, external: true };
      });
    },
  };
}

/** Modules of Node that a hook loads at the first use or never: together they take a third of Node's own start. */
const SELDOM_NEEDED = ["node:child_process", "node:crypto", "node:timers/promises", "assert"];

const LOADED_LATE = /\bimport\(\s*"(\.[^"]+)",?\s*\)/g;

/** Has a bundle of few files load at once, with the module that names it, what is not apart: a file for each would take longer. */
function atOnce(...late: readonly string[]): Plugin {
  const paths = new Set(late.map((file) => resolve(file)));
  return {
    name: "at-once",
    setup(bundle) {
      bundle.onLoad({ filter: /\/src\/.+\.ts$/ }, async ({ path }) => {
        const heads: string[] = [];
        const body = (await readFile(path, "utf8")).replace(LOADED_LATE, (code, part) => {
          if (paths.has(resolve(dirname(path), part))) return code;
          const name = `atOnce${heads.length}`;
          heads.push(`import * as ${name} from "${part}";`);
          return `Promise.resolve(${name})`;
        });
        return { contents: [...heads, body].join("\n"), loader: "ts" };
      });
    },
  };
}

const CALLS = "src/app/bin/calls.ts";
const COMMANDS = "src/app/bin/commands.ts";
const ANSWER_PAYLOAD = "src/app/hooks/answer-payload.ts";
const SESSION_HOOK = "src/app/bin/record-hook.ts";
const SESSIONS = "src/app/bin/sessions.ts";
const ADOPT = "src/lessons/changes/adopt.ts";
/** Parts that few need, with classes that none of their answers are of: the parser of YAML, and patterns of people's own. */
const PARSERS = {
  "server/read-policy": "src/ground/core/read-policy.ts",
  "server/own-patterns": "src/ground/redaction/own-patterns.ts",
};
const DAEMON = "src/app/bin/daemon.ts";
const DAEMON_THREAD = "src/app/bin/daemon-thread.ts";
const VIEWER = "src/app/bin/viewer.ts";

/** @param from the folder of the build, as the bundle sees it. */
const parsers = (from: string) =>
  Object.fromEntries(Object.entries(PARSERS).map(([part, file]) => [file, `${from}/${part}.cjs`]));

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

const NAMED = `sentinel-memory ${version}, MIT; written by sentinel-memory init, not by hand`;
const WRITTEN = `// ${NAMED}`;
const commonJs = {
  ...shared,
  outExtension: { ".js": ".cjs" },
  format: "cjs",
  define: { "import.meta.dirname": "__dirname" },
} satisfies BuildOptions;
const modules = {
  ...shared,
  outExtension: { ".js": ".mjs" },
  format: "esm",
} satisfies BuildOptions;

/** The program: it answers the handshake and decides for a hook whether there is anything to say. What more is needed it loads. */
const start = await build({
  ...commonJs,
  entryPoints: { "server/sentinel-memory": "src/app/bin/program.ts" },
  plugins: [
    ...shared.plugins,
    apart({
      [CALLS]: "./agents.mjs",
      [ANSWER_PAYLOAD]: "./agents.mjs",
      [SESSION_HOOK]: "./sessions.mjs",
      [COMMANDS]: "./commands.mjs",
      ...parsers(".."),
    }),
  ],
  banner: { js: `#!/usr/bin/env node\n${WRITTEN}` },
});

/**
 * What it loads, in few files: Node takes a millisecond and more for every module, and a tenth of one for every kilobyte. So what the first
 * calls do not need is a file of its own.
 */
const rest = await build({
  ...modules,
  entryPoints: { "server/agents": CALLS, "server/sessions": SESSIONS, "server/commands": COMMANDS },
  splitting: true,
  chunkNames: "server/[hash]",
  banner: { js: `${WRITTEN}\n${REQUIRE}` },
  // Its main file loads its parts in a way that no bundler follows.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
  plugins: [
    ...shared.plugins,
    leaveOutJsonSchema,
    apart({
      [DAEMON]: "../daemon.mjs",
      [VIEWER]: "./viewer.mjs",
      ...parsers(".."),
    }),
    atOnce(SESSIONS, DAEMON, VIEWER, ...Object.values(PARSERS)),
  ],
});
await nameByLoaders(Object.entries(rest.metafile.outputs));

/** Gives each file that several load their names: its own is another one after every change. */
async function nameByLoaders(
  outputs: [path: string, { entryPoint?: string; imports: { path: string }[] }][],
) {
  const programs = outputs.filter(([, { entryPoint }]) => entryPoint);
  const named = outputs
    .filter(([, { entryPoint }]) => !entryPoint)
    .map(([chunk]) => {
      const loaders = programs.filter(([, { imports }]) =>
        imports.some(({ path }) => path === chunk),
      );
      const names = loaders.map(([path]) => basename(path, ".mjs")).sort();
      return {
        chunk,
        name: names.length === programs.length ? "shared.mjs" : `${names.join("-and-")}.mjs`,
      };
    });
  for (const [path] of outputs) {
    const code = await readFile(path, "utf8");
    await writeFile(
      path,
      named.reduce((text, { chunk, name }) => text.replaceAll(basename(chunk), name), code),
    );
  }
  for (const { chunk, name } of named) await rename(chunk, `${dirname(chunk)}/${name}`);
}

/** In CommonJS, which hooks load sooner. The parser for browsers is the same, in modules that can be taken apart. */
const parts = await build({
  ...commonJs,
  entryPoints: PARSERS,
  banner: { js: WRITTEN },
  alias: { yaml: resolve("node_modules/yaml/browser/dist/index.js") },
  plugins: [...shared.plugins, leaveOutJsonSchema],
});

/** One file each: a hook of the package runs with every prompt, and loads less than the program. */
const hooks = await build({
  ...commonJs,
  entryPoints: {
    hook: "src/app/bin/hook.ts",
    "record-hook": "src/app/bin/session-hook.ts",
    "answer-payload": ANSWER_PAYLOAD,
    adopt: ADOPT,
  },
  plugins: [
    ...shared.plugins,
    nameByChance,
    apart({ [ANSWER_PAYLOAD]: "./answer-payload.cjs", [ADOPT]: "./adopt.cjs", ...parsers(".") }),
  ],
  alias: Object.fromEntries(
    SELDOM_NEEDED.map((module) => [module, resolve("scripts/seldom-needed.ts")]),
  ),
  inject: [resolve("scripts/uptime.ts")],
  define: { ...commonJs.define, "performance.now": "uptimeMs" },
  supported: { "dynamic-import": false },
  banner: { js: "#!/usr/bin/env node" },
});

/** What no repository keeps. */
const operators = await build({
  ...modules,
  entryPoints: {
    daemon: DAEMON,
    "daemon-thread": DAEMON_THREAD,
    ...(forTests && { "event-worker": "test/faults/support/event-worker.ts" }),
  },
  banner: { js: REQUIRE },
  // A driver in C, which is used where it is installed.
  external: ["pg-native"],
  plugins: [...shared.plugins, apart(parsers("."))],
});
await cp("src/daemon/postgres/migrations", `${outdir}/migrations`, { recursive: true });

/** The server of the viewer: a bundle of its own, because only `view` loads it. */
const viewer = await build({
  ...modules,
  entryPoints: { "server/viewer": VIEWER },
  banner: { js: `${WRITTEN}\n${REQUIRE}` },
  plugins: [...shared.plugins, apart(parsers(".."))],
});

/** The viewer's page, for browsers. */
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
  plugins: [],
});

const bundles = [start, rest, parts, hooks, operators, viewer, page].map(
  ({ metafile }) => metafile,
);
const licences = licencesOf(bundles);
await writeFile(`${outdir}/server/LICENCES.txt`, `${licenceOf(".")}\n\n${licences}\n`);
const sha256 = (content: string | Buffer) => createHash("sha256").update(content).digest("hex");
/** Short names for people, in a shell and in cmd. */
const SHORT_NAMES = {
  sm: `#!/bin/sh\n# ${NAMED}\nexec node "$(dirname "$0")/sentinel-memory.cjs" "$@"\n`,
  "sm.cmd": `@rem ${NAMED}\n@node "%~dp0sentinel-memory.cjs" %*\n`,
};
for (const [file, text] of Object.entries(SHORT_NAMES))
  await writeFile(`${outdir}/server/${file}`, text, { mode: 0o755 });
const programs = (await readdir(`${outdir}/server`))
  .filter((file) => file !== "LICENCES.txt")
  .sort();
const sums = await Promise.all(
  programs.map(async (file) => `${sha256(await readFile(`${outdir}/server/${file}`))}  ${file}\n`),
);
await writeFile(`${outdir}/server/SHA256SUMS`, sums.join(""));
const released = { ...releases, [version]: sha256(sums.join("")) };
await writeFile(`${outdir}/releases.json`, `${JSON.stringify(released, null, 2)}\n`);
await writeFile(
  `${outdir}/cli.mjs`,
  '#!/usr/bin/env node\nimport "./server/sentinel-memory.cjs";\n',
);
for (const bin of ["cli.mjs", "server/sentinel-memory.cjs", "hook.cjs", "record-hook.cjs"])
  await chmod(`${outdir}/${bin}`, 0o755);
writeBuildStamp(outdir, bundles);
