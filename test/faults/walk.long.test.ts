/** A seeded random walk of three clones through everything that can be done to a memory and to a branch. */
import { expect, it } from "vitest";
import { instantOf } from "../../src/lessons/format/lesson.ts";
import { chance, SOAK } from "../support/form.ts";
import { logId } from "../support/lines.ts";
import { type Clone, useOrigin } from "./support/git.ts";

const origin = useOrigin({ gaps: ["a", "b", "c"] });
const CLOCKS = [{}, { clock: -3 * 3_600_000 }, { clock: 2 * 3_600_000 }];

it.each(Array.from({ length: 2 * SOAK }, (_, walk) => walk))(
  "walk %i: all clones end equal, and nothing that was acknowledged is lost",
  async (walk) => {
    const random = chance(`walk ${walk}`);
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
    const clones = await origin.clones(["one", "two", "three"], CLOCKS);
    const logged = new Set(["a", "b", "c"]);

    for (let step = 0; step < 150; step++) {
      const clone = pick(clones);
      const other = pick(clones.filter((each) => each !== clone));
      const dice = random();
      if (dice < 0.35) {
        await log(clone, `gap ${step}`);
      } else if (dice < 0.5) {
        await log(clone, pick([...logged]));
      } else if (dice < 0.65) {
        const shown = await clone.shown();
        await clone.compact(
          `principle ${step}`,
          ...shown.filter(() => random() < 0.4),
          shown[0] ?? "",
        );
      } else if (dice < 0.85) {
        clone.commit();
        expect(clone.merge(other)).toBe(true);
      } else if (dice < 0.93) {
        clone.commit();
        clone.fetch(other);
        // Its last change alone; what cannot be taken alone is left.
        if (
          !clone.tryGit("cherry-pick", "--allow-empty", "--keep-redundant-commits", "FETCH_HEAD")
        ) {
          clone.tryGit("cherry-pick", "--abort");
        }
      } else {
        clone.commit();
        clone.fetch(other);
        if (!clone.tryGit("rebase", "-q", "FETCH_HEAD")) {
          clone.git("rebase", "--abort");
        }
      }
    }

    for (const clone of clones) {
      clone.commit("the end of the walk");
    }
    // Each merges the others' last state by itself, so that the three files come about in three ways.
    const ends = clones.map((clone) => clone.git("rev-parse", "HEAD").trim());
    for (const clone of clones) {
      for (const [index, other] of clones.entries()) {
        if (other === clone) {
          continue;
        }
        clone.git("fetch", "-q", other.project.folder, ends[index] as string);
        clone.git("merge", "-q", "--no-edit", ends[index] as string);
      }
    }
    const [first, ...rest] = await Promise.all(clones.map(state));
    for (const each of rest) {
      expect(each).toEqual(first);
    }
    for (const gap of logged) {
      expect(first?.known).toContain(logId("faults", gap));
    }
    await Promise.all(clones.map((clone) => clone.log("the last")));
    for (const clone of clones) {
      await clone.expectClean();
    }

    async function log(clone: Clone, gap: string): Promise<void> {
      await clone.log(gap);
      logged.add(gap);
    }
  },
);

/** What shows, and every id that shows, is covered or was forgotten. */
async function state(clone: Clone) {
  const snapshot = await clone.snapshot();
  const shown = snapshot
    .lessons()
    .map(({ version, instant }) => `${version.id} ${instant} ${version.lesson}`);
  const covered = snapshot
    .lines()
    .flatMap(({ version }) => Object.entries(version.meta.sources ?? {}));
  // Tombstones included: what was forgotten is known to have been.
  const known = new Set([
    ...snapshot.lines().map(({ version }) => version.id),
    ...covered.map(([id]) => id),
  ]);
  const furthest = new Map<string, number>();
  for (const [id, revision] of covered) {
    furthest.set(id, Math.max(furthest.get(id) ?? 0, instantOf(revision)));
  }
  return {
    shown: shown.toSorted(),
    known: [...known].toSorted(),
    covered: Object.fromEntries([...furthest].toSorted()),
  };
}
