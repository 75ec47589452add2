/** A seeded random walk of three clones of one memory, one of which still runs an earlier release. */
import { describe, expect, it } from "vitest";
import { cuesOf, gapForm } from "../../src/lessons/format/lesson.ts";
import { References } from "../../src/lessons/queries/references.ts";
import { type Clone, useOrigin } from "../faults/support/git.ts";
import { chance } from "../support/form.ts";
import { VERSIONS } from "./archive.ts";
import { Release } from "./release.ts";

const STEPS = 45;
const CLOCKS = [{}, { clock: -3 * 3_600_000 }];

describe.each(VERSIONS)("%s beside two clones of this version", (version) => {
  const release = new Release(version);
  const origin = useOrigin({ gaps: ["gap lackbase"] });

  it("loses nothing, and shows nothing again that was compacted or replaced", async () => {
    const random = chance("mixed walk");
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
    const clones = await origin.clones(
      ["one", "two", "old"],
      [...CLOCKS, { bundle: release.bundle, clock: 2 * 3_600_000 }],
    );
    const old = clones[2] as Clone;
    /** What was taken out for good, by id: nobody logs it again in this walk. */
    const retired = new Map<string, string>();
    const logged = new Set<string>();
    /** The words that a principle of this version has to be found by. */
    const cues = new Map<string, string>();

    for (let step = 0; step < STEPS; step++) {
      const clone = pick(clones);
      const dice = random();
      if (dice < 0.4) {
        const gap = `gap lack${step}word`;
        const isOld = clone === old;
        await clone.server.mustLog(gap, isOld ? {} : { when: { words: [`work${step}`] } });
        // This version takes it for the same lesson, however it is written.
        if (!isOld) {
          await clone.server.mustLog(` ${gap.toUpperCase()}. `, {
            lesson: `Ask twice about ${gap}.`,
          });
        }
        logged.add(gap);
      } else if (dice < 0.6) {
        await compact(clone, step);
      } else if (dice < 0.7 && clone !== old) {
        await replace(clone, step);
      } else {
        clone.commit();
        expect(clone.merge(pick(clones.filter((each) => each !== clone)))).toBe(true);
      }
    }
    for (const clone of clones) {
      clone.commit();
    }
    for (const [reader, ...others] of [
      clones,
      clones.toReversed(),
      clones.slice(1).concat(clones[0] as Clone),
    ]) {
      for (const other of others) {
        expect(reader?.merge(other)).toBe(true);
      }
    }
    for (const clone of clones) {
      await clone.log("the last");
    }

    const snapshots = await Promise.all(clones.map((clone) => clone.snapshot()));
    for (const snapshot of snapshots) {
      const known = new Set(
        snapshot
          .lines()
          .flatMap(({ version: { id, meta } }) => [id, ...Object.keys(meta.sources ?? {})]),
      );
      for (const id of retired.keys()) {
        expect(snapshot.shown(id), retired.get(id)).toBeUndefined();
        expect(known).toContain(id);
      }
      const shown = snapshot.lessons().map(({ version: lesson }) => lesson);
      const forms = new Set(shown.map(({ missing_context }) => gapForm(missing_context)));
      const gone = new Set([...retired.values()].map(gapForm));
      for (const gap of logged) {
        expect(forms.has(gapForm(gap)) || gone.has(gapForm(gap)), gap).toBe(true);
      }
      for (const lesson of shown) {
        const cue = cues.get(lesson.id);
        if (cue !== undefined) {
          expect(cuesOf(lesson.meta)).toContain(cue);
        }
      }
    }

    async function chosen(clone: Clone, most: number) {
      const snapshot = await clone.snapshot();
      const references = new References(snapshot);
      const lines = snapshot
        .lessons()
        .filter(
          ({ version: { type, missing_context } }) =>
            type === "log" && missing_context !== "the last",
        );
      const taken = lines.slice(0, 1 + Math.floor(random() * most));
      return taken.map((line) => ({ lesson: line.version, reference: references.full(line) }));
    }

    async function compact(clone: Clone, step: number): Promise<void> {
      const sources = await chosen(clone, 3);
      if (sources.length === 0) {
        return;
      }
      const answer = await clone.server.compact(
        `principle ${step}`,
        sources.map(({ reference }) => reference),
      );
      expect(answer.code).toBeUndefined();
      for (const { lesson } of sources) {
        retired.set(lesson.id, lesson.missing_context);
      }
      const made = (await clone.snapshot())
        .lessons()
        .find(({ version: lesson }) => lesson.lesson === `principle ${step}`);
      const word = sources[0]?.lesson.missing_context.toLowerCase().split(" ").at(-1) ?? "";
      if (clone !== old) {
        cues.set(made?.version.id ?? "", word);
      }
    }

    async function replace(clone: Clone, step: number): Promise<void> {
      const sources = await chosen(clone, 1);
      if (sources.length === 0) {
        return;
      }
      const gap = `gap better${step}word`;
      await clone.server.mustLog(gap, { replaces: sources.map(({ reference }) => reference) });
      for (const { lesson } of sources) {
        retired.set(lesson.id, lesson.missing_context);
      }
      logged.add(gap);
    }
  });
});
