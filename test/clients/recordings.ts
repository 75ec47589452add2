/**
 * Files that the real clients wrote while they played the same story: small, and without paths of the machine. The
 * tests of readers read them; `npm run test:clients` makes them again and compares.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { Project } from "../support/project.ts";
import {
  FILES,
  TELLERS,
  tellChildAgent,
  tellCompaction,
  tellInterruption,
  tellNorway,
  tellScript,
  tellSubfolder,
  tellWorktree,
} from "./stories.ts";

/** A file that a client wrote: its path below that client's own folder, and its lines. */
export interface Recorded {
  readonly path: string;
  readonly lines: readonly string[];
}

export type Client = keyof typeof TELLERS;
const STORIES = {
  norway: tellNorway,
  "child-agent": tellChildAgent,
  compaction: tellCompaction,
  interruption: tellInterruption,
  subfolder: tellSubfolder,
  worktree: tellWorktree,
  script: tellScript,
};
type Story = keyof typeof STORIES;
/** Each story, of each client; only newer models of Codex write scripts. */
export const CASES: readonly (readonly [Client, Story])[] = (
  Object.keys(TELLERS) as Client[]
).flatMap((client) =>
  (Object.keys(STORIES) as Story[])
    .filter((story) => story !== "script" || client === "codex")
    .map((story) => [client, story] as const),
);

const FOLDER = resolve("test/clients/recordings");
/** Where a story takes place, once it is recorded. */
export const PLACE = "/home/ann/app";
/** Another worktree of it. */
export const TREE = "/home/ann/tree";
/** Fields that hold instructions and the like. */
const CLIENTS_OWN = ["base_instructions", "state"];
/** A longer text is cut in the middle: readers look at its beginning and its end. */
const LONGEST_TEXT = 700;

/** Tells a story to the real client, and gives what it wrote. */
export async function record(client: Client, story: Story): Promise<Recorded[]> {
  const project = await Project.repository(FILES);
  try {
    await project.git("config", "user.name", "Dev");
    await project.git("config", "user.email", "dev@example.com");
    const teller = TELLERS[client];
    await teller.prepare?.(project);
    await STORIES[story](teller, project);
    const [clientFolder, kept] = [
      project.path(`~/${teller.folder}`),
      project.path(`~/${teller.folder}/${teller.keeps}`),
    ];
    return filesBelow(kept).map((path) => ({
      path: relative(clientFolder, path).replaceAll(
        folderName(project.home),
        folderName(dirname(PLACE)),
      ),
      lines: linesIn(path, teller).map((line) => withoutMachine(line, project)),
    }));
  } finally {
    project.remove();
  }
}

/** Where the files of a story are kept. */
export function recordedFolder(client: Client, story: Story): string {
  return join(FOLDER, client, story);
}

export const readRecorded = (client: Client, story: Story): Recorded[] =>
  readRecordedFiles(recordedFolder(client, story));

/** The files of a story that are kept in a folder. */
export function readRecordedFiles(folder: string): Recorded[] {
  return filesBelow(folder).map((path) => ({
    path: relative(folder, path),
    lines: readFileSync(path, "utf8").trimEnd().split("\n"),
  }));
}

export function writeRecorded(folder: string, files: readonly Recorded[]): void {
  rmSync(folder, { recursive: true, force: true });
  for (const { path, lines } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), `${lines.join("\n")}\n`);
  }
}

function linesIn(path: string, { linesOf }: (typeof TELLERS)[Client]): readonly string[] {
  const kept = readFileSync(path, "utf8");
  return linesOf ? linesOf(kept) : kept.trimEnd().split("\n");
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) {
    return [];
  }
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return paths
    .filter((path) => /\.jsonl$|\.project_root$/.test(path))
    .sort()
    .map((path) => join(folder, path));
}

/** As Claude Code names the folder of a project. */
function folderName(folder: string): string {
  return folder.replace(/[^a-zA-Z0-9]/g, "-");
}

function withoutMachine(line: string, { folder, home }: Project): string {
  const said = [
    [folder, PLACE],
    [home, dirname(PLACE)],
    [folderName(folder), folderName(PLACE)],
    [folderName(home), folderName(dirname(PLACE))],
  ].reduce((text, [from = "", to = ""]) => text.replaceAll(from, to), line);
  return said.startsWith("{") ? JSON.stringify(JSON.parse(said, shorter)) : said;
}

/** Without what the client tells its model, and without the middle of what is long. */
function shorter(key: string, value: unknown): unknown {
  if (CLIENTS_OWN.includes(key)) {
    return "…";
  }
  if (key === "attachment") {
    return { type: (value as { type: string }).type };
  }
  if (
    typeof value === "object" &&
    value !== null &&
    "role" in value &&
    value.role === "developer"
  ) {
    return { ...value, content: [] };
  }
  if (typeof value !== "string" || value.length <= LONGEST_TEXT) {
    return value;
  }
  return `${value.slice(0, LONGEST_TEXT / 2)}\n… cut …\n${value.slice(-LONGEST_TEXT / 2)}`;
}
