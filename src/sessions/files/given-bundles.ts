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
import type { PurgeTarget } from "../store.ts";
import { eventNamed } from "../storing/named-ids.ts";

const MOST_KEPT = 200;
/** The fewest characters that identify a bundle. */
const ENOUGH = BUNDLE_PREFIX.length + 4;
const REFERENCE = /\b(?:evt|chk|art)_\w+/g;

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
      // A purge writes its list before it looks for bundles, so one of the two removes this file.
      if (lookAt(this.#purges)?.stamp !== before) rmSync(path, { force: true });
      for (const name of this.#names().slice(MOST_KEPT)) this.#remove(name);
    };
  }

  /** The newest bundle whose id begins with a name. */
  find(name: string): GivenBundle | undefined {
    if (name.length < ENOUGH) return undefined;
    const [file] = this.#names().filter((one) => one.split("-")[1]?.startsWith(name));
    return file === undefined ? undefined : this.#read(file);
  }

  /** Removes the bundles that match the target of a purge: those of a session, with an id, or with a text in the query. */
  purge(target: PurgeTarget): void {
    this.#removeIf((given) => matchesTarget(given, target));
  }

  /** Removes the bundles that refer to a removed event or artifact. */
  purgeReferences(
    isPurged: (event: { readonly id: string; readonly session: string }) => boolean,
    artifacts: readonly string[] = [],
  ): void {
    this.#removeIf((given) => {
      const { session } = given.provenance;
      const refs = JSON.stringify(given).match(REFERENCE) ?? [];
      return refs.some(
        (ref) => artifacts.includes(ref) || isPurged({ id: eventNamed(ref), session }),
      );
    });
  }

  /** The number of bundles that `purge` would remove. */
  count(target: PurgeTarget): number {
    return this.#names().filter((name) => {
      const given = this.#read(name);
      return given !== undefined && matchesTarget(given, target);
    }).length;
  }

  /** Also removes unreadable files, because they may contain a match. */
  #removeIf(matches: (given: GivenBundle) => boolean): void {
    for (const name of this.#names()) {
      const given = this.#read(name);
      if (given === undefined || matches(given)) this.#remove(name);
    }
  }

  /** The newest first. */
  #names(): string[] {
    return (ignoreMissing(() => readdirSync(this.#folder)) ?? []).sort().reverse();
  }

  #read(name: string): GivenBundle | undefined {
    return tryOr(() => JSON.parse(readFileSync(join(this.#folder, name), "utf8")), undefined);
  }

  #remove(name: string): void {
    rmSync(join(this.#folder, name), { force: true });
  }
}

function matchesTarget(given: GivenBundle, target: PurgeTarget): boolean {
  if ("session" in target) return given.provenance.session === target.session;
  const record = JSON.stringify(given);
  if ("text" in target) return record.includes(JSON.stringify(target.text).slice(1, -1));
  return target.ids.some((id) => record.includes(id));
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
