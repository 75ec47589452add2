/** Who may ask the viewer, over bare HTTP; and the file that it exports. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { chmod, cp, stat } from "node:fs/promises";
import { request } from "node:http";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { testRepository } from "../support/in-test.ts";
import { log, toFile } from "../support/lines.ts";
import type { Project } from "../support/project.ts";
import { keepTranscript, recordFromTheStart } from "../support/recorded.ts";
import { Session } from "../support/transcript.ts";
import { Viewer } from "../support/viewer-page.ts";

const MEMORY = ".context/memory_log.jsonl";
const VAT = log();
const HOSTILE = log({
  topic: "html",
  missing_context: "<img src=x onerror=alert(1)>",
  lesson: "</style><script>1</script>",
});

let project: Project;
beforeEach(async () => {
  project = await testRepository({ [MEMORY]: toFile([VAT, HOSTILE]) });
});

async function opened(...options: string[]): Promise<Viewer> {
  const viewer = await Viewer.start(project, "--no-open", ...options);
  onTestFinished(() => viewer.end());
  return viewer;
}

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

async function ask(
  viewer: Viewer,
  path: string,
  { method = "GET", headers = {}, body }: Asked = {},
) {
  const call = request(`${viewer.origin}${path}`, { method, headers, agent: false });
  call.end(body && JSON.stringify(body));
  const response = await new Promise<import("node:http").IncomingMessage>((resolve, reject) =>
    call.once("response", resolve).once("error", reject),
  );
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

const exchange = (viewer: Viewer, token: string, headers = {}) =>
  ask(viewer, "/api/session", { method: "POST", headers, body: { token } });

async function bearerOf(viewer: Viewer): Promise<{ authorization: string }> {
  return {
    authorization: `Bearer ${JSON.parse((await exchange(viewer, viewer.token)).body).bearer}`,
  };
}

describe("the viewer", () => {
  it("exchanges its token once, and answers only who has what it gave", async () => {
    const viewer = await opened();
    expect((await ask(viewer, "/api/lessons")).status).toBe(401);
    expect((await exchange(viewer, "x".repeat(43))).status).toBe(401);
    const mine = await bearerOf(viewer);
    expect((await exchange(viewer, viewer.token)).status).toBe(401);
    expect(
      (await ask(viewer, "/api/lessons", { headers: { authorization: `Bearer ${viewer.token}` } }))
        .status,
    ).toBe(401);
    const lessons = await ask(viewer, "/api/lessons", { headers: mine });
    expect(lessons.headers["set-cookie"]).toBeUndefined();
    expect(JSON.parse(lessons.body).lessons).toHaveLength(2);
  });

  it("refuses calls of other sites, ports and names, also with the bearer", async () => {
    const viewer = await opened();
    const forged: Record<string, string>[] = [
      { origin: "https://example.com" },
      { origin: "http://127.0.0.1:1" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
      { host: "rebound.example.com" },
      { host: "localhost" },
    ];
    for (const headers of forged) {
      expect((await exchange(viewer, viewer.token, headers)).status).toBe(403);
    }
    const bearer = await bearerOf(viewer);
    for (const one of forged) {
      const headers = { ...bearer, ...one };
      const forget = { method: "POST", headers, body: { id: VAT.id } };
      expect((await ask(viewer, "/api/lessons", { headers })).status).toBe(403);
      expect((await ask(viewer, "/api/forget", forget)).status).toBe(403);
    }
    expect(await project.memory()).toContain(VAT.id);
  });

  it("gives its page a policy without inline scripts, and no file of the machine", async () => {
    const viewer = await opened();
    const { headers, body } = await ask(viewer, "/");
    expect(headers["content-security-policy"]).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'/,
    );
    expect(body).not.toMatch(/<style|<script>|https?:/);
    expect((await ask(viewer, "/../package.json")).status).toBe(404);
    expect(
      (await ask(viewer, "/api/constructor", { headers: await bearerOf(viewer) })).status,
    ).toBe(404);
  });

  it("survives an address that is none", async () => {
    const viewer = await opened();
    expect((await ask(viewer, "//")).status).toBe(500);
    expect((await ask(viewer, "/")).status).toBe(200);
  });

  it("reaches the browser through a file of its owner alone, and no argument holds the token", async () => {
    await project.write(
      "~/bin/xdg-open",
      '#!/bin/sh\necho "$@" > "$HOME/part" && mv "$HOME/part" "$HOME/opened"\n',
    );
    await chmod(project.path("~/bin/xdg-open"), 0o755);
    const env = { ...project.env, PATH: `${project.path("~/bin")}:${project.env.PATH}` };
    const viewer = await Viewer.start({ folder: project.folder, env });
    onTestFinished(() => viewer.end());
    await expect
      .poll(() => project.read("~/opened").catch(() => ""))
      .toBe(`file://${viewer.url}\n`);
    expect((await stat(viewer.url)).mode & 0o777).toBe(0o600);
    expect(await project.read(viewer.url)).toMatch(
      /url=http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}"/,
    );
    await viewer.end();
    await expect(stat(viewer.url)).rejects.toThrow("ENOENT");
  });

  it("ends by itself after half an hour without a call of a page, and not before", async () => {
    const passed = "~/passed";
    await project.write(passed, "");
    const preload = `--require ${resolve("test/support/half-hours.cjs")}`;
    const env = { ...project.env, NODE_OPTIONS: preload, PASSED: project.path(passed) };
    const viewer = await Viewer.start({ folder: project.folder, env }, "--no-open");
    onTestFinished(() => viewer.end());
    const passTo = async (times: string) => {
      viewer.signal("SIGUSR2");
      await expect.poll(() => project.read(passed)).toBe(times);
    };
    for (const times of [".", "..", "..."]) {
      expect((await ask(viewer, "/")).status).toBe(200);
      await passTo(times);
    }
    expect((await ask(viewer, "/")).status).toBe(200);
    await passTo("....");
    await passTo(".....");
    expect(await viewer.ended).toBe(0);
  });

  it("changes nothing where it is read only", async () => {
    const viewer = await opened("--read-only");
    const headers = await bearerOf(viewer);
    for (const call of ["edit", "forget", "restore", "keep", "never"]) {
      expect(
        (await ask(viewer, `/api/${call}`, { method: "POST", headers, body: { id: VAT.id } }))
          .status,
      ).toBe(404);
    }
    expect(await project.changes()).toBe("");
  });

  it("says what is wrong with a change, and makes none", async () => {
    const viewer = await opened();
    const headers = await bearerOf(viewer);
    const wrong = { id: "ffffffffffff" };
    const { status, body } = await ask(viewer, "/api/forget", {
      method: "POST",
      headers,
      body: wrong,
    });
    expect({ status, error: JSON.parse(body).error.code }).toEqual({
      status: 404,
      error: "not_found",
    });
    expect(
      (await ask(viewer, "/api/edit", { method: "POST", headers, body: { ref: 1 } })).status,
    ).toBe(422);
    expect(await project.changes()).toBe("");
  });
});

describe("the build", () => {
  it("has a page of at most 40 kB, and loads nothing of the viewer for anything else", async () => {
    const page = ["viewer-page.js", "viewer-style.css"].map((name) =>
      readFileSync(resolve("dist/server", name)),
    );
    expect(gzipSync(Buffer.concat(page)).length).toBeLessThan(40 * 1024);
    const elsewhere = project.path("~/without");
    await cp("dist", elsewhere, {
      recursive: true,
      filter: (path) => !/viewer(?:\.mjs)?$/.test(path),
    });
    const { env, folder } = project;
    const { status, stdout } = spawnSync(
      process.execPath,
      [`${elsewhere}/cli.mjs`, "search", "tax"],
      {
        env,
        cwd: folder,
      },
    );
    expect([status, String(stdout)]).toEqual([0, expect.stringContaining(VAT.lesson)]);
  });
});

describe("view --export", () => {
  it("has the conflicts and the history of lessons, and nothing of the session log", async () => {
    await recordFromTheStart(project);
    await keepTranscript(
      project,
      new Session({ cwd: project.folder, at: Date.now() }).asks("Said in a session"),
    );
    await project.run("sessions", "capture");
    expect((await project.run("sessions", "search", "session")).stdout).toContain(
      "Said in a session",
    );
    const clone = await project.clone();
    await project.run("edit", VAT.id, "--lesson", "Ask the tax office");
    await clone.run("edit", VAT.id, "--lesson", "Ask the accountant");
    await project.append(MEMORY, await clone.memory());
    await project.run("view", "--export", project.path("a.html"));
    const html = await project.read("a.html");
    expect(html).toMatch(
      /<dd dir="auto">Ask the accountant<.+class="conflict"[^<]*Ask the tax office/s,
    );
    expect(html).toMatch(/<summary>History<\/summary><ul><li>.+ edited/s);
    expect(html).not.toMatch(/Said in a session|evt_/);
  });

  it("writes the same bytes for the same memory, elsewhere too, and no markup of a lesson", async () => {
    await project.run("forget", VAT.id, "--yes");
    await project.run("restore", VAT.id, "--yes");
    await project.commit("Restore");
    const clone = await project.clone();
    await project.run("view", "--export", project.path("a.html"));
    await clone.run("view", "--export", clone.path("b.html"));
    const html = await project.read("a.html");
    expect(await clone.read("b.html")).toBe(html);
    expect(html).toContain("&lt;/style&gt;&lt;script&gt;1&lt;/script&gt;");
    expect(html).not.toMatch(/<script|<img|https?:/);
    expect((await project.run("view", "--export", project.path("a.html"))).stderr).toContain(
      "a.html",
    );
  });
});
