import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testFolder } from "../../../../test/support/in-test.ts";
import { makePrivateFolder } from "../../../ground/files/private-file.ts";
import { DayFiles } from "../day-files.ts";
import { filesNow, gapsIn, takeLast } from "./coverage.ts";

const LINE = '{"id":"one"}\n';

function daysWithOne() {
  const days = new DayFiles(testFolder());
  const path = days.pathFor("2026-11-21", 0);
  makePrivateFolder(join(path, ".."));
  writeFileSync(path, LINE);
  const purge = () => renameSync(path, days.pathFor("2026-11-21", 1));
  return { days, purge };
}

it("lists the files again when a purge renames one meanwhile", () => {
  const { days, purge } = daysWithOne();
  const stale = days.list();
  purge();
  const listings = [stale, days.list()];
  expect([...filesNow({ list: () => listings.shift() ?? [] }).keys()]).toEqual(["2026-11-21.1"]);
});

it("names the bytes of a file that was removed before it was read", () => {
  const { days, purge } = daysWithOne();
  const gaps = gapsIn(filesNow(days), []);
  purge();
  expect(takeLast(gaps, 1_000)).toEqual({ taken: [], left: gaps });
  expect(takeLast(gapsIn(filesNow(days), []), 1_000).left).toEqual([]);
});
