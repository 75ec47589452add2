/** The build on Node for Windows, under Wine: what a model of Windows can't show. docs/windows.md names what was tried. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { WindowsMachine, whyNot } from "./wine/machine.ts";
import { windowsTranscripts } from "./wine/transcripts.ts";

interface Answer {
  readonly text: string;
  readonly isError: boolean;
}
interface Command {
  readonly status: number;
  readonly text: string;
}
/** What the scripts of test/windows/stories print. */
interface Told {
  readonly tools: { tools: string[]; logged: Answer; found: string; status: number };
  readonly kills: { saved: string[]; refused: string[]; statuses: number[] };
  readonly locks: { reused: Command; scanned: Command };
  readonly hooks: {
    spelled: string[];
    atOnce: string[];
    marked: string;
    cursor: string;
    elsewhere: string;
  };
  readonly spellings: { tools: number[]; inHome: Command[] };
  readonly held: {
    memory: {
      moment: { wasWaiting: boolean; answer: Answer };
      long: Answer;
      after: Answer;
      canSearch: boolean;
    };
    hook: { wasWaiting: boolean; answer: Command };
    search: Command[];
  };
}

const README = readFileSync("README.md", "utf8");
const SHOP = "C:\\code\\shop";
const WITH_SIGNS = "C:\\가게 R&D\\my shop";
/** Wine 8 has not what later versions need. */
const VERSIONS = ["20.20.2", "22.22.3"];
const REASON = whyNot();
if (REASON !== undefined) {
  process.stdout.write(`Node for Windows was not tried: ${REASON}\n`);
}

beforeEach(({ skip }) => skip(REASON !== undefined, REASON));

describe.each(VERSIONS)("Node %s for Windows", (version) => {
  let windows: WindowsMachine;

  beforeAll(async () => {
    if (REASON !== undefined) {
      return;
    }
    windows = new WindowsMachine(version);
    for (const folder of [SHOP, WITH_SIGNS]) {
      await setUp(folder);
    }
  });
  afterAll(() => windows?.end());

  /** A repository with the server in it. */
  async function setUp(folder: string): Promise<void> {
    const place = windows.path(folder);
    mkdirSync(join(place, "src"), { recursive: true });
    writeFileSync(join(place, "src/pay.ts"), "export {};\n");
    execFileSync("git", ["init", "--quiet", "--initial-branch=main"], { cwd: place });
    const { status, stdout } = await windows.cli(folder, "init", "--vendor");
    expect([status, stdout]).toEqual([0, expect.stringContaining("git add .context/")]);
  }

  const memoryOf = (folder: string) =>
    readFileSync(join(windows.path(folder), ".context/memory_log.jsonl"), "utf8");
  const lessonsOf = (folder: string): string[] =>
    memoryOf(folder)
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line).lesson);
  const leftIn = (folder: string) =>
    readdirSync(join(windows.path(folder), ".context")).filter((name) =>
      /^memory_log\.jsonl./.test(name),
    );

  it("a project in a folder with blanks, signs and Korean letters is set up, and serves", async () => {
    const told = await windows.story<Told["tools"]>("tools", WITH_SIGNS);
    expect(told.tools).toEqual(["search_memory", "log_memory", "compact_memory"]);
    expect(told.logged.isError).toBe(false);
    expect(told.found).toContain("시간 제한을 10초로 두고");
    expect(told.status).toBe(0);
    const doctor = await windows.cli(WITH_SIGNS, "doctor");
    expect(doctor).toMatchObject({ status: 0, stdout: expect.stringContaining("ok      ") });
    expect(doctor.stdout).toContain(".context/memory_log.jsonl: 1 lesson");
    expect(doctor.stdout).not.toContain("Memory that is not in this branch");
    expect(await windows.cli(WITH_SIGNS, "check", "--strict")).toMatchObject({ status: 0 });
  });

  it("every agent's sessions are recorded, whatever case they write a folder in", async () => {
    expect(await windows.cli(SHOP, "sessions", "on")).toMatchObject({ status: 0 });
    const transcripts = windowsTranscripts(Date.now());
    for (const { path, text } of transcripts) {
      const file = join(windows.path(windows.home), path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    const captured = await windows.cli(SHOP, "sessions", "capture");
    expect(captured).toMatchObject({ status: 0, stdout: expect.stringContaining("Recorded ") });
    const { stdout } = await windows.cli(SHOP, "sessions", "list");
    for (const { asked } of transcripts) {
      expect(stdout).toContain(asked);
    }
    expect(stdout).toContain("src/pay.ts");
    const again = await windows.cli(SHOP, "sessions", "capture");
    expect(again.stdout).toContain("Recorded 0 events");
  });

  // The rest rests on Windows more than on the version of Node.
  if (version !== VERSIONS[0]) {
    return;
  }

  it("the README's commands set up a project in a folder with a blank, typed in cmd", async () => {
    const work = "C:\\code\\my work";
    cpSync("dist", windows.path(`${work}\\sentinel-memory\\dist`), { recursive: true });
    const project = `${work}\\your-project`;
    mkdirSync(windows.path(project), { recursive: true });
    execFileSync("git", ["init", "--quiet"], { cwd: windows.path(project) });
    const [, block = ""] = /## Add it to your project\n\n```sh\n([\s\S]*?)```/.exec(README) ?? [];
    const line = block.trimEnd().split("\n").join(" && ");
    expect(await windows.cmd(`${work}\\sentinel-memory`, line)).toMatchObject({ status: 0 });
    const doctor = await windows.cmd(project, ".context\\server\\sm doctor");
    expect(doctor).toMatchObject({ status: 0, stdout: expect.stringContaining("ok      ") });
  });

  it("eight servers that log at once, one of which is ended as it writes, lose nothing that they called saved", async () => {
    const told = await windows.story<Told["kills"]>("kills", WITH_SIGNS, "8", "5");
    const lessons = lessonsOf(WITH_SIGNS);
    expect([told.refused, told.statuses]).toEqual([[], Array(7).fill(0)]);
    expect(told.saved.length).toBeGreaterThan(7 * 5);
    expect(told.saved.filter((lesson) => !lessons.includes(lesson))).toEqual([]);
    expect(new Set(lessons).size).toBe(lessons.length);
    expect(memoryOf(WITH_SIGNS).match(/\n/g)?.length).toBe(lessons.length);
    await windows.cli(WITH_SIGNS, "add", "--topic", "t", "--missing", "m", "--lesson", "after");
    expect(leftIn(WITH_SIGNS)).toEqual([]);
  });

  it("hooks give the lessons however a client writes a folder, also of many sessions at once", async () => {
    const lesson = ["--topic", "pay", "--missing", "m", "--lesson", "Set the timeout"];
    expect(await windows.cli(SHOP, "add", ...lesson)).toMatchObject({ status: 0 });
    const told = await windows.story<Told["hooks"]>("hooks", SHOP, "4");
    const { spelled, atOnce, marked, cursor, elsewhere } = told;
    for (const answer of [...spelled, marked]) {
      expect(answer).toContain("additionalContext");
    }
    // On a slow machine a hook gives up waiting for the others, and is silent.
    expect(atOnce.join("")).toContain("additionalContext");
    expect(cursor).toContain("additional_context");
    expect(elsewhere).toBe("");
  });

  it("a lock whose process id another program has goes, and a scanner in a new one is waited for", async () => {
    const { reused, scanned } = await windows.story<Told["locks"]>("locks", SHOP);
    expect([reused, scanned]).toMatchObject([{ status: 0 }, { status: 0 }]);
    expect(lessonsOf(SHOP)).toEqual(expect.arrayContaining(["r1", "r2"]));
  });

  it("a folder in another case is the same project, and the home folder is none in any", async () => {
    const program = "C:\\sm\\dist\\cli.mjs";
    const { tools, inHome } = await windows.story<Told["spellings"]>("spellings", SHOP, program);
    expect(tools[0]).toBeGreaterThan(3);
    expect(tools[1]).toBe(tools[0]);
    for (const { status, text } of inHome) {
      expect(status).toBe(1);
      expect(text).toContain("no_project");
    }
  });

  it("a file that another program has open is waited for, and refused in words that say so", async () => {
    const records = join(windows.path(windows.home), "AppData/Local/sentinel-memory/records");
    const [id = ""] = readdirSync(records);
    const log = `${windows.home}\\AppData\\Local\\sentinel-memory\\records\\${id}`;
    await windows.cli(SHOP, "sessions", "search", "timeout");
    const { memory, hook, search } = await windows.story<Told["held"]>("held", SHOP, log);
    expect(memory.moment).toMatchObject({ wasWaiting: true, answer: { isError: false } });
    expect(memory.long).toMatchObject({
      isError: true,
      text: expect.stringMatching(/write_failed.*another program has the file open/s),
    });
    expect([memory.after.isError, memory.canSearch, leftIn(SHOP)]).toEqual([false, true, []]);
    expect(hook.answer.text).toContain("additionalContext");
    for (const one of search) {
      expect(one).toMatchObject({ status: 0 });
    }
  });
});
