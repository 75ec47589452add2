/**
 * examples/daemon/ without docker: the commands of the Dockerfile run in fresh folders, and the services of compose.yaml start one after the
 * other as it says, with addresses of this machine in place of those of containers.
 */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { message, texts } from "../contracts/event-store.ts";
import { buildImage, environmentIn, type Image } from "../support/container-image.ts";
import { send, storeAt } from "../support/daemon.ts";
import { adminPortOf, startDaemonWith } from "../support/daemon-process.ts";
import { httpAgent } from "../support/mcp-agent.ts";
import { postgresOfFile } from "../support/postgres.ts";
import { withoutPostgres } from "../support/postgres-server.ts";
import { freePort, isOpen, programAt } from "../support/proxy-process.ts";
import { runProcess } from "../support/run-process.ts";
import { removeFolder, scratchFolder } from "../support/scratch.ts";

const EXAMPLES = "examples/daemon";
const BUILDING_MS = 1_500_000;

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test?: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

const PASSWORDS = { ADMIN_PASSWORD: "a1", OWNER_PASSWORD: "o2", DAEMON_PASSWORD: "d3" };

/** What the file says, with the variables that a person sets. @throws Error for one that nobody sets. */
function composed(variables: Readonly<Record<string, string>>): Readonly<Record<string, Service>> {
  const text = readFileSync(join(EXAMPLES, "compose.yaml"), "utf8").replace(
    /\$\{(\w+):\?\}/g,
    (_, name: string) => {
      const value = variables[name];
      if (value === undefined) {
        throw new Error(`${name} is not set.`);
      }
      return value;
    },
  );
  return parse(text, { merge: true }).services;
}

/** What a fresh clone has, but for what is not sent to docker. */
function context(): string[] {
  const paths = execFileSync("git", ["ls-files", "-z"], { encoding: "utf8" }).split("\0");
  const ignored = readFileSync(join(EXAMPLES, "Dockerfile.dockerignore"), "utf8")
    .trim()
    .split("\n");
  return paths.filter(
    (path) =>
      existsSync(path) && !ignored.some((one) => path === one || path.startsWith(`${one}/`)),
  );
}

const postgres = postgresOfFile();
const folders: string[] = [];
let image: Image;
beforeAll(async () => {
  const newFolder = () => {
    const folder = scratchFolder("image");
    folders.push(folder);
    return folder;
  };
  image = await buildImage(join(EXAMPLES, "Dockerfile"), context(), newFolder);
}, BUILDING_MS);
afterAll(() => {
  for (const folder of folders) {
    removeFolder(folder);
  }
});

describe("the image", () => {
  it("has the program alone, as a user without rights, and tells it to serve", async () => {
    expect([image.user, image.entrypoint, image.command]).toEqual([
      "node",
      ["sentinel-memory"],
      ["daemon", "serve", "--host", "0.0.0.0"],
    ]);
    const [program = ""] = image.entrypoint;
    const place = { cwd: image.root, env: environmentIn(image) };
    expect(await runProcess(program, ["--version"], place)).toMatchObject({ exit: 0, stderr: "" });
    expect(
      existsSync(join(image.root, "tmp")) && execFileSync("ls", [join(image.root, "tmp")]).length,
    ).toBe(0);
  });
});

describe("the services", () => {
  it("come up in their order; a stranger makes a token, writes and reads through the proxy, and the health follows the database", async () => {
    const services = composed({ ...PASSWORDS, SENTINEL_HOST: "localhost" });
    expect(orderOf(services)).toEqual(["database", "operator", "daemon", "proxy"]);
    const { database, operator, daemon, proxy } = services as Record<string, Service>;
    if (!database || !operator || !daemon || !proxy) {
      throw new Error("A service is missing.");
    }
    const { port, programs } = postgres();
    const here = (text: string) => text.replaceAll("@database/", `@127.0.0.1:${port}/`);
    const [program = ""] = image.entrypoint;

    const server = {
      PATH: `${programs}:${process.env.PATH}`,
      PGHOST: "127.0.0.1",
      PGPORT: String(port),
      HOME: image.root,
    };
    const { POSTGRES_PASSWORD: _, ...settings } = database.environment ?? {};
    const env = { ...server, ...settings, POSTGRES_USER: "admin" };
    expect(
      await runProcess("sh", [join(EXAMPLES, "roles.sh")], { cwd: process.cwd(), env }),
    ).toMatchObject({
      exit: 0,
    });
    const [, isReady = "", ...options] = database.healthcheck?.test ?? [];
    expect((await runProcess(isReady, options, { cwd: image.root, env: server })).exit).toBe(0);

    /** As `docker compose run --rm operator …`. */
    const operate = async (...args: readonly string[]) => {
      const url = here(operator.environment?.SENTINEL_DATABASE_URL ?? "");
      const place = {
        cwd: image.root,
        env: { ...environmentIn(image), SENTINEL_DATABASE_URL: url },
      };
      const { exit, stdout, stderr } = await runProcess(program, args, place);
      expect(exit, stderr).toBe(0);
      return stdout.trim();
    };
    expect(await operate(...(operator.command ?? []))).toContain("Created the schema.");

    const daemonUrl = here(daemon.environment?.SENTINEL_DATABASE_URL ?? "");
    const daemonEnv = { ...environmentIn(image), SENTINEL_DATABASE_URL: daemonUrl };
    const started = await startDaemonWith(
      program,
      [...(daemon.command ?? []), "--port", "0", "--admin-port", "0"],
      image.root,
      daemonEnv,
    );
    const daemonPort = new URL(started.url).port;
    const health = async () => {
      const [node = "", ...args] = image.healthcheck.map((part) =>
        part.replace("7331", daemonPort),
      );
      return (await runProcess(node, args, { cwd: image.root, env: environmentIn(image) })).exit;
    };
    expect(await health()).toBe(0);
    // As another container asks it.
    const adminPort = adminPortOf(started, "0.0.0.0");
    expect(
      (await send(adminPort, "/metrics", { host: "daemon:7332" }, undefined, "GET")).status,
    ).toBe(200);

    const proxyPort = await freePort();
    const [caddy = "", ...proxyArgs] = (proxy.command ?? []).map((part) =>
      part
        .replace("daemon:7331", `127.0.0.1:${daemonPort}`)
        .replace(/^localhost$/, `:${proxyPort}`),
    );
    const child = spawn(programAt(caddy), proxyArgs, {
      cwd: image.root,
      env: environmentIn(image),
      stdio: "ignore",
    });
    onTestFinished(() => void child.kill("SIGTERM"));
    await expect.poll(() => isOpen(proxyPort), { timeout: 30_000 }).toBe(true);

    const [makeTenant = [], makeToken = []] = commandsOfThePage();
    await operate(...makeTenant);
    const token = await operate(...makeToken);
    const url = `http://localhost:${proxyPort}`;
    const store = storeAt(url, token);
    await store.append([message("They round twice.")]);
    expect(await texts(store)).toEqual(["They round twice."]);
    const agent = await httpAgent({ url }, token);
    expect((await agent.call("build_acb", { query: "why do they round" })).text).toContain(
      "They round twice.",
    );

    await withoutPostgres(postgres(), async () => expect(await health()).toBe(1));
    await expect.poll(health, { timeout: 20_000 }).toBe(0);
    started.child.kill("SIGTERM");
    expect(await started.exited).toBe(0);
  });
});

/** The order in which they start; each waits for what it depends on. */
function orderOf(services: Readonly<Record<string, Service>>): string[] {
  const order: string[] = [];
  const add = (name: string) => {
    const { depends_on: needs = {}, healthcheck } = services[name] ?? {};
    for (const [other, { condition }] of Object.entries(needs)) {
      add(other);
      const isChecked =
        services[other]?.healthcheck?.test !== undefined ||
        services[other]?.image === "sentinel-memory";
      if (condition === "service_healthy") {
        expect(isChecked, `${name} waits for a check of ${other}`).toBe(true);
      }
    }
    if (!order.includes(name)) {
      order.push(name);
    }
    return healthcheck;
  };
  for (const name of Object.keys(services)) {
    add(name);
  }
  return order;
}

/** What docs/daemon.md has an operator run in the container. */
function commandsOfThePage(): string[][] {
  const [, part = ""] = readFileSync("docs/daemon.md", "utf8").split("## In containers");
  return [...part.matchAll(/^docker compose .*run --rm operator (daemon .+?)(?: +#.*)?$/gm)].map(
    ([, args = ""]) => args.split(" "),
  );
}
