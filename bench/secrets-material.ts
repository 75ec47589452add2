/** Results of tools: samples with secrets, and what every machine has and holds none of its own. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { redact } from "../src/ground/redaction/redact.ts";
import { harmlessKinds, isWrong, type Kind, secretKinds } from "../test/support/hard-lines.ts";
import { sized } from "./sized.ts";
import { round, type Section } from "./table.ts";

/** One result of a tool, as agents session log it: the texts that must go, and the passages that must stay. */
interface Sample {
  readonly name: string;
  readonly text: string;
  readonly secrets: readonly string[];
  readonly keep: readonly string[];
}

const MODULES = sized(2_000, 5);
/** -1 is no limit. */
const COMMITS = sized(-1, 1);
/** Characters of a result that agents show at most. */
const RESULT = 24 * 1024;
const CA_BUNDLES = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/ssl/cert.pem",
  "/etc/pki/tls/certs/ca-bundle.crt",
];

/** Samples in which a secret or a part of eight characters of it is left, and samples that lost what must stay. */
export function toolOutput(folder: string, show: boolean): Section {
  const rows = filesIn(folder, /\.json$/).map((file) => {
    const samples = JSON.parse(readFileSync(join(folder, file), "utf8")) as Sample[];
    const leaking = samples.filter(({ text, secrets }) =>
      secrets.some((secret) => isLeft(secret, redact(text).text)),
    );
    const eating = samples.filter(({ text, keep }) =>
      keep.some((passage) => !redact(text).text.includes(passage)),
    );
    if (show)
      console.log({
        file,
        leaking: leaking.map(({ name }) => name),
        eating: eating.map(({ name }) => name),
      });
    return { samples: file, of: samples.length, leaking: leaking.length, eating: eating.length };
  });
  return { title: "Results of tools, with secrets made for them", rows };
}

/** Lines and results that change though nothing in them is a secret of this machine. */
export function ordinaryMaterial(): Section {
  const git = (...args: string[]) =>
    execFileSync("git", args, { encoding: "utf8", maxBuffer: 1 << 28 });
  const modules = filesIn("node_modules", /\.(?:js|ts|json|md)$/)
    .map((file) => join("node_modules", file))
    .filter((file) => {
      const stats = statSync(file, { throwIfNoEntry: false });
      return stats?.isFile() && stats.size > 400 && stats.size < 400_000;
    });
  const sets: Record<string, readonly string[]> = {
    node_modules: modules.slice(0, MODULES).map((file) => readFileSync(file, "utf8")),
    "the lock file": [readFileSync("package-lock.json", "utf8")],
    "git log -p": [git("log", "-p", "--no-color", `--max-count=${COMMITS}`)],
    "git ls-tree": [git("ls-tree", "-r", "-l", "HEAD")],
    certificates: CA_BUNDLES.filter((file) => existsSync(file)).map((file) =>
      readFileSync(file, "utf8"),
    ),
  };
  return {
    title: "Ordinary material, in results of 24 KB",
    rows: Object.entries(sets).map(changes),
  };
}

/** Wrong lines of each kind that is hard to get right, in percent: in the half that the filter is tuned on, and in the other. */
export function hardLines(): Section {
  const rows = [...harmlessKinds(), ...secretKinds()].map(({ name, lines }) => {
    const share = (half: Kind["lines"]["tuned"]) =>
      round((100 * half.filter(isWrong).length) / half.length, 1);
    return {
      kind: name,
      "tuned on, %": share(lines.tuned),
      "only reported, %": share(lines.reported),
    };
  });
  return { title: "Hard lines that are changed without a secret, or keep one", rows };
}

function changes([material, texts]: [string, readonly string[]]) {
  const count = { results: 0, "results changed": 0, lines: 0, "lines changed": 0 };
  for (const text of texts)
    for (let from = 0; from < text.length; from += RESULT) {
      const result = text.slice(from, from + RESULT);
      const left = redact(result).text;
      count.results++;
      count.lines += result.split("\n").length;
      if (left === result) continue;
      const kept = new Set(left.split("\n"));
      count["results changed"]++;
      count["lines changed"] += result.split("\n").filter((line) => !kept.has(line)).length;
    }
  return { material, ...count };
}

function filesIn(folder: string, name: RegExp): string[] {
  return (readdirSync(folder, { recursive: true }) as string[])
    .filter((file) => name.test(file))
    .sort();
}

function isLeft(secret: string, left: string): boolean {
  if (secret.length < 8) return left.includes(secret);
  for (let i = 0; i + 8 <= secret.length; i++)
    if (left.includes(secret.slice(i, i + 8))) return true;
  return false;
}
