/**
 * Stores a release for the tests beside this file: its bundle, and what it writes when it is really run in a repository.
 *
 *   npx tsx test/compat/make.ts VERSION FOLDER
 *
 * FOLDER is what `npm run build` makes at the commit of that release. Run it by hand, once for each release that is published,
 * and commit the new folder; the tests find it by themselves. A stored release is never changed, because users have it.
 */
import { join, resolve } from "node:path";
import { BY_HAND } from "../support/files-by-hand.ts";
import { Project } from "../support/project.ts";
import { runProcess } from "../support/run-process.ts";
import { withServer } from "../support/server.ts";
import { hookOf, readTexts, storeRelease } from "./archive.ts";

const [version, folder] = process.argv.slice(2);
if (!version || !folder) {
  throw new Error("Name the version and the folder of its bundle.");
}
const bundle = resolve(folder);
const cli = join(bundle, "cli.mjs");
const MEMORY = ".context/memory_log.jsonl";

const project = await Project.repository({
  ...BY_HAND,
  ".cursorrules": "Write tests.",
  "src/vat.py": "VAT = 0.19\n",
});

try {
  await command("init", "--agents", "cursor,claude,codex,vscode,gemini,opencode");
  await writeMemory();
  await writeHookState();
  const texts = readTexts(project.folder, (path) => !/^\.git(?:\/|$)/.test(path));
  const paths = Object.keys(texts).filter((path) => texts[path]?.includes(project.path("..")));
  if (paths.length > 0) {
    throw new Error(`A path of this machine stands in ${paths.join(", ")}.`);
  }
  storeRelease(version, readTexts(bundle), texts);
} finally {
  await project.remove();
}

/** Logs, an update, a principle with its sources, a forgotten record; three languages; fields of somebody else. */
async function writeMemory(): Promise<void> {
  const vat = { topic: "payment", missing_context: "VAT differs by country" };
  await log({ ...vat, lesson: "Look for the tax table", ask_next_time: "Which countries?" });
  await log({
    topic: "결제",
    missing_context: "나라마다 부가세 계산이 다르다",
    lesson: "국가별 세율 표를 먼저 확인한다",
  });
  await log({
    topic: "支付",
    missing_context: "退款有单独的接口",
    lesson: "先确认退款接口，再修改金额",
  });
  await log({
    topic: "deploy",
    missing_context: "Deploys are frozen on Fridays",
    lesson: "Ask the release manager first",
  });
  await log({
    topic: "build",
    missing_context: "The build needs Node 20",
    lesson: "Check the version of Node first",
  });
  await log({
    topic: "build",
    missing_context: "The build writes into dist",
    lesson: "Never edit dist by hand",
  });
  await log({
    topic: "mail",
    missing_context: "Mails go out at night",
    lesson: "Do not send mails in tests",
  });

  const text = await project.read(MEMORY);
  const marked = text.replace(/^.*"deploy".*$/m, (line) => {
    const { meta, ...rest } = JSON.parse(line);
    return JSON.stringify({
      ...rest,
      meta: { ...meta, reviewed_by: "Kim" },
      priority: { level: 2, of: ["high", "low"] },
    });
  });
  await project.write(MEMORY, marked);

  await log({
    ...vat,
    lesson: "Read the tax table of the country first",
    ask_next_time: "Which countries?",
  });
  const plan = await call("compact_memory", { target_topic: "build" });
  const source_ids = plan.match(/\b[0-9a-f]{8}@[0-9a-f]{4}\b/g);
  await log({
    type: "principle",
    topic: "build",
    lesson: "Build with Node 20, and leave dist to the build",
    source_ids,
  });
  const [mail] = JSON.parse(await command("search", "mails", "--json")) as { id: string }[];
  await command("forget", "--yes", "--reason", "settled", mail?.id ?? "");
}

/** A conversation that was given a lesson, one that changed a file and logged nothing, one that was reminded of it. */
async function writeHookState(): Promise<void> {
  await hook("given", "UserPromptSubmit", {
    prompt: "Fix how VAT differs by country in the tax table",
  });
  for (const session of ["changed", "reminded"]) {
    await hook(session, "PostToolUse", {
      tool_name: "Edit",
      tool_input: { file_path: project.path("src/vat.py") },
    });
  }
  await hook("reminded", "Stop");
}

function call(tool: string, input: Record<string, unknown>): Promise<string> {
  const args = [cli, "--project", project.folder];
  return withServer({ args, ...project.place() }, (server) => server.ask(tool, input));
}

async function log(lesson: Record<string, unknown>): Promise<void> {
  const answer = await call("log_memory", lesson);
  if (answer.startsWith("error")) {
    throw new Error(answer);
  }
}

function command(...args: string[]): Promise<string> {
  return run([cli, ...args]);
}

function hook(session_id: string, hook_event_name: string, more: object = {}): Promise<string> {
  return run(
    [hookOf(bundle)],
    JSON.stringify({ session_id, cwd: project.folder, hook_event_name, ...more }),
  );
}

async function run(args: string[], stdin = ""): Promise<string> {
  const place = { cwd: project.folder, env: project.env, stdin };
  const { exit, stdout, stderr } = await runProcess(process.execPath, args, place);
  if (exit !== 0) {
    throw new Error(`${args.join(" ")}: ${stderr}`);
  }
  return stdout;
}
