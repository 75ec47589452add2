/** nginx and Caddy as `examples/daemon/` sets them up, before a daemon: only addresses and the certificate are the test's. */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect } from "node:net";
import { delimiter, join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { testFolder } from "./in-test.ts";

export type ProxyName = "nginx" | "caddy";

export interface ProxyProcess {
  readonly url: string;
  /** A file with the certificate that clients have to trust; for NODE_EXTRA_CA_CERTS. */
  readonly certificate: string;
}

const FILES: Readonly<Record<ProxyName, string>> = {
  nginx: "examples/daemon/nginx.conf",
  caddy: "examples/daemon/Caddyfile",
};
const NAME = "memory.example.com";

/**
 * Ends with the test.
 *
 * @param change of the block, besides what every test needs.
 */
export async function startProxy(
  proxy: ProxyName,
  daemon: string,
  change = (block: string) => block,
) {
  const folder = testFolder();
  const [certificate, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const form = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...subject];
  execFileSync("openssl", [...form, "-keyout", key, "-out", certificate], { stdio: "pipe" });
  // Asked for last, because another process may get the same port until the proxy has it.
  const port = await freePort();
  const block = change(readFileSync(FILES[proxy], "utf8"))
    .replace("127.0.0.1:7331", new URL(daemon).host)
    .replaceAll(NAME, "localhost");
  if (proxy === "nginx") {
    runNginx(folder, block, port);
  } else {
    runCaddy(folder, block, { port, certificate, key });
  }
  await expect.poll(() => isOpen(port), { timeout: 30_000 }).toBe(true);
  return { url: `https://localhost:${port}`, certificate } satisfies ProxyProcess;
}

function runNginx(folder: string, block: string, port: number): void {
  const server = block
    .replace("listen 443", `listen 127.0.0.1:${port}`)
    .replace("/etc/ssl/localhost.pem", join(folder, "cert.pem"))
    .replace("/etc/ssl/localhost.key", join(folder, "key.pem"));
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  const http = `access_log off; ${paths.join(" ")}\n${server}`;
  const user = process.getuid?.() === 0 ? "user root;" : "";
  const file = join(folder, "nginx.conf");
  writeFileSync(file, `${user} pid ${join(folder, "pid")};\nevents {}\nhttp {\n${http}}\n`);
  run("nginx", ["-e", join(folder, "error.log"), "-c", file, "-g", "daemon off;"], folder);
}

function runCaddy(
  folder: string,
  block: string,
  { port, certificate, key }: Record<string, string | number>,
): void {
  const site = block.replace(
    "localhost {",
    `https://localhost:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`,
  );
  const file = join(folder, "Caddyfile");
  writeFileSync(file, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`);
  run("caddy", ["run", "--config", file, "--adapter", "caddyfile"], folder);
}

/** Where a program is that is installed. */
export function programAt(program: string): string {
  // Debian has nginx where only root looks.
  const places = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"].map((place) =>
    join(place, program),
  );
  const found = places.find((place) => existsSync(place));
  if (found === undefined) {
    throw new Error(`These tests need ${program}: .ci/install-programs`);
  }
  return found;
}

function run(program: string, args: readonly string[], folder: string): void {
  const child = spawn(programAt(program), args, {
    cwd: folder,
    env: { HOME: folder, PATH: process.env.PATH ?? "" },
    stdio: "ignore",
  });
  onTestFinished(() => void child.kill("SIGTERM"));
}

export function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  return typeof address === "object" && address ? address.port : 0;
}
