/** Reads the views: three in `.context/views/`, and each user's preferences (docs/design/sessions.md, "Views and policies"). */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { tryOr } from "../../../ground/core/errors.ts";
import type { PolicyProblem } from "../../../ground/core/policy.ts";
import { plural, present } from "../../../ground/core/text.ts";
import { fileError } from "../../../ground/files/file-errors.ts";
import { readAt, withFile } from "../../../ground/files/open-file.ts";
import { lookAt } from "../../../ground/files/replace-file.ts";
import type { ConfigFolders } from "../../../ground/project/config-folders.ts";
import { CONTEXT_FOLDER, contextFolder } from "../../../ground/project/context-folder.ts";
import type { Project } from "../../../ground/project/find-project.ts";
import { LEADS_OUT, leadsOut } from "../../../ground/project/leads-out.ts";
import { hidePrivate } from "../../../ground/redaction/private.ts";
import { redact } from "../../../ground/redaction/redact.ts";
import { SHARED_VIEWS, type ViewName } from "./channels.ts";

/** Far more than a bundle shows of a view. */
const MOST_BYTES = 64 * 1024;
/** Matches a block of code, which stays, or a Markdown comment. Without an end, either runs to the end of the text. */
const CODE_OR_COMMENT =
  /^ {0,3}(`{3,}|~{3,})(?:[\s\S]*?^ {0,3}\1.*$|[\s\S]*)|^ {0,3}<!--(?:[\s\S]*?-->|[\s\S]*)/gm;

export interface View {
  readonly name: ViewName;
  /** Without comments, private passages and secrets. */
  readonly text: string;
  /** The file's name in messages. */
  readonly place: string;
}

/** Reads the existing views. The redactor is loaded only if there are any. @param own the user's folders. */
export async function readViews({ folder, context }: Project, own: ConfigFolders) {
  const shared = SHARED_VIEWS.map((name) => {
    const file = `${name}.md`;
    return readView(
      name,
      join(context.views, file),
      join(contextFolder(CONTEXT_FOLDER).views, file),
      folder,
    );
  });
  const preferences = [own.general, own.ofProject].map((place) => {
    const path = join(place, "preferences.md");
    return readView("preferences", path, path);
  });
  return present(...(await Promise.all([...shared, ...preferences])));
}

/** Undefined if the file doesn't exist. @param folder of the project that shares it. Absent for a user's file. */
export async function readView(name: ViewName, path: string, place: string, folder?: string) {
  const file = (text: string, problems: readonly PolicyProblem[]) => {
    const view: View | undefined = text === "" ? undefined : { name, text, place };
    return { place, view, problems };
  };
  const unreadable = (why: string, fix: string) =>
    file("", [{ message: `${why}, so it is not shown.`, fix }]);
  try {
    const info = lookAt(path);
    if (!info) {
      const isLink = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
      return isLink
        ? unreadable("the link leads to no file", "Correct the link, or remove it.")
        : undefined;
    }
    if (folder !== undefined && leadsOut(path, folder))
      return unreadable(LEADS_OUT.why, LEADS_OUT.fix);
    const isCut = info.size > MOST_BYTES;
    const bytes = withFile(path, (file) => readAt(file, 0, MOST_BYTES));
    const written = decoded(bytes, isCut);
    if (written === undefined) return unreadable("the file is not UTF-8", "Save it as UTF-8.");
    const { text, secrets } = await shown(isCut ? wholeLines(written) : written);
    return file(text, present(isCut && TOO_LONG, secrets > 0 && held(secrets)));
  } catch (error) {
    const { message, fix } = fileError(error, "read_failed", "the file cannot be read");
    return unreadable(message, fix);
  }
}

const TOO_LONG: PolicyProblem = {
  message: "the file is larger than 64 KiB, so only its first lines are shown.",
  fix: "Shorten it: a bundle takes a few thousand tokens of it.",
};

function held(secrets: number): PolicyProblem {
  const message = `${plural(secrets, "secret")} in it ${secrets === 1 ? "is" : "are"} not shown.`;
  return { message, fix: "Remove it from the file, and change it everywhere it's used." };
}

/** Undefined if it isn't UTF-8. @param isCut whether its last character may be incomplete. */
const decoded = (bytes: Buffer, isCut: boolean): string | undefined =>
  tryOr(
    () => new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: isCut }),
    undefined,
  );

/** Removes an incomplete last line, because a cut secret may not be recognized. */
const wholeLines = (text: string): string => text.slice(0, text.lastIndexOf("\n") + 1);

/** The text that a bundle may show. Private tags may be in comments, so they are handled first. */
async function shown(written: string): Promise<{ text: string; secrets: number }> {
  const open = hidePrivate(written.replaceAll("\r\n", "\n"), "hides the rest").text;
  const { text, findings } = redact(
    open.replace(CODE_OR_COMMENT, (part, code) => (code ? part : "")),
  );
  return { text: text.trim(), secrets: findings.reduce((sum, { count }) => sum + count, 0) };
}
