/** Rollouts that Codex has compressed, which it does after seven days: read where Node can unpack them, and named where it cannot. */
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import zlib from "node:zlib";
import { expect, it } from "vitest";
import { Rollout, timedId } from "../support/codex.ts";
import type { Project } from "../support/project.ts";
import { manifestOf, messagesOf } from "../support/recorded.ts";
import { recordedRepository } from "../support/recorded-repository.ts";

/** Node has it from 22.15 on. */
const pack = (zlib as { zstdCompressSync?: (text: string) => Buffer }).zstdCompressSync;
const PLAIN = `~/.codex/sessions/2026/11/20/rollout-2026-11-20T09-00-00-${timedId(1)}.jsonl`;
const PACKED = `${PLAIN}.zst`;
/** What every file that Zstandard has compressed begins with. */
const MAGIC = "28b52ffd";

async function recording(): Promise<{ shop: Project; text: string }> {
  const shop = await recordedRepository();
  const rollout = new Rollout({ cwd: shop.folder })
    .turn(undefined, shop.folder)
    .asks("Count the pandas")
    .says("Two.");
  return { shop, text: rollout.text };
}

// Each Node has its own test here, and `npm run test:nodes` runs both.
if (pack === undefined) {
  it(
    "are named as not read by a Node that cannot unpack them, unless they were read before",
    namedAsNotRead,
  );
} else {
  it(
    "are read where Node can unpack them, once with what was read before, and a purge finds what they hold",
    readOnce,
  );
}

async function namedAsNotRead(): Promise<void> {
  const { shop, text } = await recording();
  const named = `1 compressed rollout of Codex, of this or another project, cannot be read by Node ${process.versions.node}.`;
  await shop.write(PACKED, Buffer.from(MAGIC, "hex"));
  const captured = await shop.run("sessions", "capture");
  expect(`${captured.stdout}${captured.stderr}`).toContain(named);
  expect((await shop.run("sessions", "status")).stdout).toContain(
    `warning ${named}\n        fix: `,
  );
  expect((await shop.run("doctor")).stdout).toContain(named);

  await rm(shop.path(PACKED));
  await shop.write(PLAIN, text);
  await shop.run("sessions", "capture");
  await rename(shop.path(PLAIN), shop.path(PACKED));
  for (let times = 0; times < 2; times++) {
    expect(JSON.stringify(await shop.run("sessions", "capture"))).not.toContain("compressed");
  }
  expect((await shop.run("doctor")).stdout).not.toContain("compressed");
  await nameUnreadable(shop);
}

/** Captured before or after it was compressed, with another session whose rollout has another name. */
async function nameUnreadable(shop: Project): Promise<void> {
  const other = `~/.codex/sessions/2026/11/20/rollout-2026-11-20T10-00-00-${timedId(2)}.jsonl`;
  const another = new Rollout({ id: timedId(2), cwd: shop.folder });
  await shop.write(other, another.turn(undefined, shop.folder).asks("Count the koalas").text);
  await shop.run("sessions", "capture");
  const found = `Node can't read these transcripts, which may contain it:\n  ${shop.path(PACKED)}\n`;
  const ofSession = await shop.run("sessions", "purge", timedId(2), "--yes");
  expect(ofSession.stdout).toContain("Purged");
  expect(ofSession.stdout).not.toContain(shop.path(PACKED));
  const byPlainName = await shop.run("sessions", "purge", "--text", "Two.", "--yes");
  expect(byPlainName.stdout).toContain(found);
  const state = join(dirname(await manifestOf(shop)), "state", "capture.json");
  const { cursors, ...rest } = JSON.parse(await readFile(state, "utf8"));
  const { [shop.path(PLAIN)]: cursor, ...others } = cursors;
  const renamed = { ...others, [shop.path(PACKED)]: cursor };
  await writeFile(state, JSON.stringify({ ...rest, cursors: renamed }));
  const byPackedName = await shop.run("sessions", "purge", timedId(1), "--yes");
  expect(byPackedName.stdout).toContain(found);
}

async function readOnce(): Promise<void> {
  const { shop, text } = await recording();
  await shop.write(PACKED, pack?.(text) ?? "");
  expect((await shop.run("sessions", "capture")).stdout).toContain("message 2");
  await shop.write(PLAIN, text);
  expect((await shop.run("sessions", "capture")).stdout).toContain("Recorded 0 events");
  await rm(shop.path(PLAIN));
  expect((await shop.run("sessions", "capture", "--all", "--yes")).stdout).toContain(
    "Recorded 0 events",
  );
  expect(await messagesOf(shop)).toEqual(["Count the pandas", "Two."]);
  const purged = await shop.run("sessions", "purge", "--text", "pandas", "--yes");
  expect(purged.stdout).toContain(shop.path(PACKED));
  expect(purged.stdout).not.toContain(`${shop.path(PLAIN)}\n`);
  await shop.write(PACKED, Buffer.from(`${MAGIC}${"ff".repeat(20)}`, "hex"));
  expect((await shop.run("sessions", "capture")).stdout).toContain("Damaged: 1 line");
}
