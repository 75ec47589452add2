/**
 * Keeps a record of the last bundles, so that people and agents can look them up. A record contains ids and the redacted query, but no text of
 * the session log. (docs/design/sessions.md, "The bundle")
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tryOr } from "../../ground/core/errors.ts";
import { ignoreMissing } from "../../ground/files/file-errors.ts";
import { makePrivateFolder, OWNER_ONLY } from "../../ground/files/private-file.ts";
import { lookAt } from "../../ground/files/replace-file.ts";
import { BUNDLE_PREFIX, type Bundle, type GivenBundle } from "../bundle/bundle.ts";

const MOST_KEPT = 200;
/** The fewest characters that identify a bundle. */
const ENOUGH = BUNDLE_PREFIX.length + 4;

export type KeepBundle = (bundle: Bundle, query: string, now: number) => void;

export class GivenBundles {
  readonly #folder: string;
  readonly #purges: string;

  /** @param folder of the session log. */
  constructor(folder: string) {
    this.#folder = join(folder, "bundles");
    this.#purges = join(folder, "state", "purged.jsonl");
  }

  /** Call it before the bundle's material is read. @returns a function that saves the bundle, unless a purge has begun since. */
  begin(): KeepBundle {
    const before = lookAt(this.#purges)?.stamp;
    return (bundle, query, now) => {
      const path = join(this.#folder, `${now}-${bundle.acb_id}.json`);
      makePrivateFolder(this.#folder);
      writeFileSync(path, JSON.stringify(recordOf(bundle, query, now)), { mode: OWNER_ONLY });
      // A purge writes its list before it removes the bundles, so one of the two removes this file.
      if (lookAt(this.#purges)?.stamp !== before) {
        rmSync(path, { force: true });
      }
      for (const name of this.#names().slice(MOST_KEPT)) {
        rmSync(join(this.#folder, name), { force: true });
      }
    };
  }

  /** The newest bundle whose id begins with a name. */
  find(name: string): GivenBundle | undefined {
    if (name.length < ENOUGH) {
      return undefined;
    }
    const [file] = this.#names().filter((one) => one.split("-")[1]?.startsWith(name));
    return file === undefined ? undefined : tryOr(() => JSON.parse(this.#read(file)), undefined);
  }

  count(): number {
    return this.#names().length;
  }

  /** Whether a query, an id or a session in one of them contains this text. */
  mention(text: string): boolean {
    const written = JSON.stringify(text).slice(1, -1);
    return this.#names().some((name) => this.#read(name).includes(written));
  }

  /** Removes all bundles. A purge calls this, because any bundle may mention a purged event. */
  clear(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** The newest first. */
  #names(): string[] {
    return (ignoreMissing(() => readdirSync(this.#folder)) ?? []).sort().reverse();
  }

  /** Empty if another process has removed it. */
  #read(name: string): string {
    return ignoreMissing(() => readFileSync(join(this.#folder, name), "utf8")) ?? "";
  }
}

function recordOf(bundle: Bundle, query: string, now: number): GivenBundle {
  const { read: _, ...provenance } = bundle.provenance;
  return {
    ...bundle,
    at: new Date(now).toISOString(),
    query,
    sections: bundle.sections.map((section) => ({
      ...section,
      items: section.items.map((item) => ({ ...item, text: "" })),
    })),
    // Conflicts quote texts of the log.
    provenance: { ...provenance, conflict_flags: [] },
  };
}
