/**
 * Preloaded into programs that tests start. Each of thousands would compile the same bundle again; this keeps what V8 made of it, as
 * Node does by itself since 22.8, where the program asks for that (src/app/bin/start.ts).
 */
const { createHash } = require("node:crypto");
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const { basename, dirname, join } = require("node:path");
const { constants, Script } = require("node:vm");

const BUNDLES = ["program.cjs", "hook.cjs"];
const FOLDER = join(__dirname, "../../node_modules/.cache/sentinel-memory");
const compile = Module.prototype._compile;

Module.prototype._compile = function (source, path) {
  if (!BUNDLES.includes(basename(path))) {
    return compile.call(this, source, path);
  }
  const digest = createHash("sha256").update(source).digest("hex").slice(0, 16);
  const file = join(FOLDER, `${digest}-${process.version}`);
  const cachedData = readIfThere(file);
  const script = new Script(Module.wrap(source.replace(/^#!/, "//")), {
    filename: path,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (!cachedData || script.cachedDataRejected) {
    // At its end the program has compiled what a run needs, too.
    process.once("exit", () => keep(file, script.createCachedData()));
  }
  const load = Module.createRequire(path);
  return script
    .runInThisContext()
    .call(this.exports, this.exports, load, this, path, dirname(path));
};

function readIfThere(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Others may read it meanwhile. A disk that takes nothing costs only the time. */
function keep(file, data) {
  try {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(`${file}.${process.pid}`, data);
    renameSync(`${file}.${process.pid}`, file);
  } catch {
    // The next one tries again.
  }
}
