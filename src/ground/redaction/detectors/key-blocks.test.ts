import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { redact } from "../redact.ts";

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const edwards = generateKeyPairSync("ed25519");
const pem = (key: { export(as: object): string | Buffer }, type: string) =>
  String(key.export({ type, format: "pem" })).trim();

const KEYS = {
  "PKCS#1": pem(rsa.privateKey, "pkcs1"),
  "PKCS#8": pem(rsa.privateKey, "pkcs8"),
  SEC1: pem(ec.privateKey, "sec1"),
  "PKCS#8 EC": pem(ec.privateKey, "pkcs8"),
  Ed25519: pem(edwards.privateKey, "pkcs8"),
};
const PUBLIC = pem(rsa.publicKey, "spki");

const two = (n: number) => String(n).padStart(2, "0");
/** Text that tools put before and after each line. */
const TOOLS: Record<string, (line: string, n: number) => string> = {
  "a reader's arrow": (line, n) => `${String(n).padStart(6)}→${line}`,
  "cat -n": (line, n) => `${String(n).padStart(6)}\t${line}`,
  "a number and a colon": (line, n) => `${n}: ${line}`,
  "a number and a bar": (line, n) => `${String(n).padStart(4)} | ${line}`,
  bat: (line, n) => `${String(n).padStart(4)}   │ ${line}`,
  "grep -n": (line, n) => `${n}:${line}`,
  "grep -rn": (line, n) => `certs/key.pem:${n}:${line}`,
  "grep -A": (line, n) => `certs/key.pem-${n}-${line}`,
  "docker compose": (line) => `app-1  | ${line}`,
  journald: (line, n) => `Nov 21 10:00:${two(n)} host app[812]: ${line}`,
  "a CI's times": (line, n) => `2026-11-21T10:00:${two(n)}.1234567Z ${line}`,
  "git blame": (line, n) =>
    `${"^"}${(0xa1b2c3d + n * 7919).toString(16)} (Dev Kim 2026-01-${two(n)} 10:00:00 +0900 ${String(n).padStart(2)}) ${line}`,
  "cat -A": (line) => `${line}$`,
  "git diff": (line) => `-${line}`,
  quoting: (line) => `> ${line}`,
  "a comment": (line) => `// ${line}`,
  "Windows line ends": (line) => `${line}\r`,
  "a list of strings": (line) => `    "${line}",`,
  concatenation: (line) => `  '${line}\\n' +`,
};

const body = (key: string) => key.split("\n").slice(1, -1);
const left = (key: string, text: string) =>
  body(key).filter((line) => redact(text).text.includes(line.slice(0, 8)));
const shown = (lines: readonly string[], tool: (line: string, n: number) => string) =>
  lines.map((line, i) => tool(line, i + 1)).join("\n");

describe.each(Object.entries(KEYS))("the lines of a private key (%s)", (_, key) => {
  test.each(Object.entries(TOOLS))("all go behind %s", (_tool, tool) => {
    const text = `before\n${shown(key.split("\n"), tool)}\nafter`;
    expect(left(key, text)).toEqual([]);
    expect(redact(text).text).toMatch(/^before\n[\s\S]*\nafter$/);
    expect(left(key, JSON.stringify({ content: text }))).toEqual([]);
  });
});

describe("a part of a private key", () => {
  const lines = KEYS["PKCS#1"].split("\n");
  test.each(Object.entries(TOOLS))("goes behind %s: the middle, the tail, the head", (_, tool) => {
    for (const [from, to] of [
      [5, 15],
      [8, 11],
      [15, lines.length],
      [0, 9],
      [1, 9],
    ]) {
      expect(
        left(KEYS["PKCS#1"], shown(lines.slice(from, to), tool)).length,
        `${from} to ${to}`,
      ).toBe(0);
    }
  });
});

describe("what is public stays, behind every tool", () => {
  const certificate = PUBLIC.replaceAll("PUBLIC KEY", "CERTIFICATE");
  test.each(Object.entries(TOOLS))("%s", (_, tool) => {
    for (const block of [PUBLIC, certificate]) {
      const lines = `${block}\n${block}`.split("\n");
      for (const [from, to] of [
        [0, lines.length],
        [3, lines.length],
        [0, 5],
      ]) {
        expect(redact(shown(lines.slice(from, to), tool)).text).toBe(
          shown(lines.slice(from, to), tool),
        );
      }
    }
  });

  test("lists of digests", () => {
    const digests = Array.from(
      { length: 9 },
      (_, i) => `    --hash=sha256:${"0f3a9c7e".repeat(8).slice(i)}${"b".repeat(i)} \\`,
    );
    expect(redact(digests.join("\n")).text).toBe(digests.join("\n"));
  });
});

describe("a secret next to something public goes", () => {
  const secret = "h7Gq2Lw9".repeat(5);
  const small = pem(edwards.publicKey, "spki");

  test.each([
    ["above a public key", `AWS_SECRET_ACCESS_KEY=${secret}\n${small}`],
    ["above an escaped one", `AWS_SECRET_ACCESS_KEY=${secret}\nPUB=${encodeURIComponent(small)}`],
    ["behind the words", `It has -----BEGIN CERTIFICATE----- and\nDB_PASSWORD=${secret}\nmore`],
    ["in a header", `-----BEGIN CERTIFICATE-----\nAuthorization: Bearer ${secret}\n`],
    [
      "in colours",
      `\u001b[32m+-----BEGIN CERTIFICATE-----\u001b[0m\n\u001b[32m+PASSWORD=${secret}\u001b[0m`,
    ],
  ])("%s", (_, text) => {
    expect(redact(text).text).not.toContain(secret);
  });

  test("the tail of a private key behind a certificate that was cut", () => {
    const key = KEYS["PKCS#1"];
    const tail = key.split("\n").slice(-4).join("\n");
    expect(redact(`-----BEGIN CERTIFICATE-----\ncut\n\n${tail}`).text).not.toContain(
      tail.split("\n")[0],
    );
  });
});
