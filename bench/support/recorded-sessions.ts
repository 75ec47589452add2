/** Real sessions of Claude Code, some as the client wrote them and some condensed, recorded by the product in a scratch project. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { Project } from "../../test/support/project.ts";
import { removeFolder, scratchFolder } from "../../test/support/scratch.ts";
import { transcriptFolder } from "../../test/support/transcript.ts";
import { asClaudeCode } from "./as-claude-code.ts";
import { readSessions } from "./coding-sessions.ts";
import { projectIn } from "./data-project.ts";

export interface Written {
  readonly session: string;
  /** Lines as Claude Code writes them. */
  readonly lines: readonly string[];
}

/** The last session ended so long before now. */
const AGO_MS = 40 * 60_000;
const TIME = /"timestamp":"(20[^"]+)"/g;

/** @param folder has `claude-code-transcripts-*.tar.gz` and `coding-sessions-*.jsonl.gz`. @returns with the folder of their project. */
export function readWritten(folder: string): {
  readonly sessions: readonly Written[];
  readonly cwd: string;
} {
  const condensed = readSessions(folder).flatMap(({ sessions }) => sessions);
  const cwd = projectIn(condensed);
  const real = realIn(folder);
  const known = new Set(real.map(({ session }) => session));
  const rest = condensed
    .filter(([first]) => first !== undefined && !known.has(first.session))
    .map((lines) => asClaudeCode(lines, cwd))
    .map(({ id, text }) => ({ session: id, lines: text.trimEnd().split("\n") }));
  return { sessions: [...real, ...rest], cwd };
}

function realIn(folder: string): Written[] {
  const unpacked = scratchFolder("transcripts");
  for (const name of readdirSync(folder).filter((name) =>
    /^claude-code-transcripts-.*\.tar\.gz$/.test(name),
  )) {
    execFileSync("tar", ["-xzf", join(folder, name), "-C", unpacked]);
  }
  const files = readdirSync(unpacked, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".jsonl"),
  );
  const written = files.map((name) => {
    const lines = readFileSync(join(unpacked, name), "utf8").split("\n");
    return { session: basename(name, ".jsonl"), lines: lines.filter((line) => line.trim() !== "") };
  });
  removeFolder(unpacked);
  return written;
}

/** A project in which they are recorded and indexed, which its caller removes. @param cwd the folder that they name as theirs. */
export async function recordSessions(sessions: readonly Written[], cwd: string): Promise<Project> {
  const project = await Project.repository();
  const folder = project.path(`~/.claude/${transcriptFolder(project.folder)}`);
  const shift =
    Date.now() - AGO_MS - Math.max(...sessions.flatMap(({ lines }) => lines.flatMap(timesIn)));
  await mkdir(folder, { recursive: true });
  for (const { session, lines } of sessions) {
    const file = join(folder, `${session}.jsonl`);
    const text = lines.map((line) =>
      line.replaceAll(cwd, project.folder).replace(TIME, (_, ts) => later(ts, shift)),
    );
    await writeFile(file, `${text.join("\n")}\n`);
    const ended = new Date(Math.max(...lines.flatMap(timesIn)) + shift);
    await utimes(file, ended, ended);
  }
  await must(project, "sessions", "on", "--keep-days", "0");
  await must(project, "sessions", "capture", "--since", "90d", "--yes");
  let missing = true;
  while (missing) {
    await must(project, "sessions", "search", "index now");
    const { indexed } = JSON.parse(await must(project, "sessions", "status", "--json"));
    missing = indexed?.missingBytes > 0;
  }
  return project;
}

const timesIn = (line: string): number[] =>
  [...line.matchAll(TIME)].map(([, ts = ""]) => Date.parse(ts));

const later = (ts: string, ms: number): string =>
  `"timestamp":"${new Date(Date.parse(ts) + ms).toISOString()}"`;

/** What a command printed. */
export async function must(project: Project, ...args: string[]): Promise<string> {
  const { exit, stdout, stderr } = await project.run(...args);
  if (exit !== 0) {
    throw new Error(`${args.join(" ")}: ${stderr}`);
  }
  return stdout;
}
