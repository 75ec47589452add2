/** The memory file: whether its lines are lessons, and whether it has outgrown an answer. */
import { relative } from "node:path";
import { budgetFor } from "../../ground/clients/answer-budget.ts";
import { CLIENTS } from "../../ground/clients/clients.ts";
import { plural } from "../../ground/core/text.ts";
import { fileError } from "../../ground/files/file-errors.ts";
import { type FileImage, readWhole } from "../../ground/files/replace-file.ts";
import { privacyOf, type ReadPrivacy } from "../../ground/project/privacy.ts";
import { examine, lineRanges } from "../../lessons/health/examine.ts";
import { JsonlLessonStore } from "../../lessons/jsonl/store.ts";
import { readMemoryPolicy } from "../../lessons/policy.ts";
import { type CheckContext, type Diagnosis, ok } from "./diagnosis.ts";

export async function checkMemory({ project }: CheckContext): Promise<Diagnosis[]> {
  const name = relative(project.folder, project.context.memoryFile);
  let image: FileImage | undefined;
  try {
    image = await readWhole(project.context.memoryFile);
  } catch (error) {
    const { message, fix } = fileError(error, "read_failed", `Reading ${name}`);
    return [{ status: "broken", what: message, fix }];
  }
  if (!image) {
    const what = `There is no ${name} yet.`;
    return [
      {
        status: "note",
        what,
        fix: "sentinel-memory init writes an empty one; commit it, so that first lessons merge.",
      },
    ];
  }
  const measured = CLIENTS.filter(({ answers }) => answers !== undefined);
  const clients = measured.map(({ name }) => ({ client: name, budget: budgetFor(name) }));
  const { compact_threshold: compactThreshold } = (await readMemoryPolicy(project.context)).values;
  const readPrivacy = privacyOf(project);
  const { known: words } = await readPrivacy();
  const { snapshot, findings } = examine(image.bytes, { clients, compactThreshold, words });
  return [
    ok(`${name}: ${plural(snapshot.count, "lesson")}, ${image.bytes.length.toLocaleString("en")} bytes`),
    ...findings.map(({ code, level, what, lines, fix }): Diagnosis => {
      const place =
        lines.length === 0 ? name : `${name}, ${lines.length === 1 ? "line" : "lines"} ${lineRanges(lines)}`;
      const diagnosis = { status: level, what: `${place}: ${what}`, fix };
      return code === "conflict_marker"
        ? { ...diagnosis, repair: () => saveOnce(project.context.memoryFile, readPrivacy) }
        : diagnosis;
    }),
  ];
}

/** A save that adds nothing: it reads through conflict markers and leaves them out. */
async function saveOnce(memoryFile: string, readPrivacy: ReadPrivacy): Promise<void> {
  await new JsonlLessonStore(memoryFile, readPrivacy).merge([]);
}
