/** What our code makes of the paths of Windows. The platform's own module stands in for the one of this machine; no file is read. */
import { describe, expect, it, vi } from "vitest";
import type { ProjectFiles } from "../../src/app/setup/project-files.ts";
import { asOnWindows, HOME } from "./as-on-windows.ts";

vi.mock("node:path", async (original) => {
  const { win32 } = await original<typeof import("node:path")>();
  return { ...win32, default: win32 };
});

const { nameInProject } = await import("../../src/ground/clients/hook-event.ts");
const { readPayload } = await import("../../src/ground/clients/hook-protocols.ts");
const { isWithin } = await import("../../src/ground/files/paths.ts");
const { Folders } = await import("../../src/sessions/capture/belonging.ts");
const { platformData } = await import("../../src/ground/project/context-folder.ts");
const { matchesGlob } = await import("../../src/lessons/queries/glob.ts");
const { personalRule, privateRule } = await import("../../src/app/setup/project-edits.ts");
const { ownCommand } = await import("../../src/ground/terminal/shell.ts");

asOnWindows();

const SHOP = "C:\\code\\shop";

describe("a file that a client names", () => {
  it.each([
    ["C:\\code\\shop\\src\\billing\\vat.ts", true],
    ["c:\\Code\\SHOP\\src\\billing\\vat.ts", true],
    ["C:/code/shop/src/billing/vat.ts", true],
    ["src\\billing\\vat.ts", true],
    ["C:\\code\\shop-old\\src\\billing\\vat.ts", false],
    ["D:\\code\\shop\\src\\billing\\vat.ts", false],
    ["\\\\server\\share\\src\\billing\\vat.ts", false],
  ])("%s is, or is not, in the project and in the glob of a lesson", (file, isOurs) => {
    const name = nameInProject(file, SHOP);
    expect(name !== undefined && matchesGlob("src/billing/**", name)).toBe(isOurs);
    expect(name !== undefined && matchesGlob("src\\billing\\*.ts", name)).toBe(isOurs);
    expect(name?.toLowerCase()).toBe(isOurs ? "src/billing/vat.ts" : undefined);
  });
});

it("the hooks of Cursor get a folder as it stands in a link", () => {
  const payload = {
    hook_event_name: "sessionStart",
    conversation_id: "c1",
    cursor_version: "3.11",
    workspace_roots: ["/c:/code/shop"],
  };
  expect(readPayload(payload).sent?.event.folder).toBe(SHOP);
});

it.each([
  [SHOP, true],
  ["C:/code/shop/packages/api", true],
  ["c:\\CODE\\shop\\packages", true],
  ["C:\\code\\shop2", false],
  ["C:\\code", false],
  ["D:\\code\\shop", false],
])(
  "a session in %s is, or is not, below the project, as git or a client writes it",
  (folder, isOurs) => {
    expect(isWithin(SHOP, folder)).toBe(isOurs);
  },
);

it("a session on a drive that is not plugged in is of another project", () => {
  const folders = new Folders({ path: SHOP, hasGit: false, folder: SHOP }, []);
  expect(folders.of("D:\\other\\src")).toEqual({ isOurs: false, worktree: "D:\\other\\src" });
});

it("rules for git have forward slashes, from the root of the repository", () => {
  const files = { root: SHOP, folder: `${SHOP}\\packages\\api` } as ProjectFiles;
  expect(personalRule(files, ".codex/hooks.json").put("")).toContain(
    "/packages/api/.codex/hooks.json\n",
  );
  expect(privateRule(files).put("")).toContain("/packages/api/.context/\n");
});

it("what stays on the machine is below the person's local data", () => {
  expect(platformData()).toBe(`${HOME}\\AppData\\Local`);
});

describe("the program, as it can be pasted", () => {
  const PACKAGE = `${SHOP}\\node_modules\\sentinel-memory\\dist`;
  const how = {
    script: "C:\\code\\sentinel\\dist\\cli.mjs",
    cwd: SHOP,
    path: undefined,
    project: undefined,
  };

  it("is started by node, with its path in the quotes that every shell of Windows knows", () => {
    expect(ownCommand(how)).toBe('node "..\\sentinel\\dist\\cli.mjs"');
    expect(ownCommand({ ...how, project: `${HOME}\\R&D` })).toBe(
      'node "..\\sentinel\\dist\\cli.mjs" --project "C:\\Users\\Ann Lee\\R&D"',
    );
    // Of another drive there is no way that is relative.
    expect(ownCommand({ ...how, script: "D:\\sentinel\\dist\\cli.mjs" })).toBe(
      'node "D:\\sentinel\\dist\\cli.mjs"',
    );
  });

  it("is npx for a dependency of the project, and the short name for its own copy", () => {
    expect(ownCommand({ ...how, script: `${PACKAGE}\\server\\sentinel-memory.cjs` })).toBe(
      "npx sentinel-memory",
    );
    const script = `${SHOP}\\.context\\server\\sentinel-memory.cjs`;
    expect(ownCommand({ ...how, script })).toBe(".context\\server\\sm");
    expect(ownCommand({ ...how, script, cwd: `${SHOP}\\.context\\server` })).toBe(".\\sm");
  });
});
