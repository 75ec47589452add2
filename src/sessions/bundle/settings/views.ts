/** Reads the views: three in `.context/views/`, and each user's preferences (docs/design/sessions.md, "Views and policies"). */
import { join } from "node:path";
import type { PolicyProblem } from "../../../ground/core/policy.ts";
import { plural, present } from "../../../ground/core/text.ts";
import { fileError } from "../../../ground/files/file-errors.ts";
import type { ConfigFolders } from "../../../ground/project/config-folders.ts";
import { CONTEXT_FOLDER, contextFolder } from "../../../ground/project/context-folder.ts";
import type { Project } from "../../../ground/project/find-project.ts";
import { readSmallText } from "../../../ground/project/small-text.ts";
import { hidePrivate } from "../../../ground/redaction/private.ts";
import { redact } from "../../../ground/redaction/redact.ts";
import { SHARED_VIEWS, type ViewName } from "./policies.ts";

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
  try {
    const written = await readSmallText(path, folder);
    if (written === undefined) {
      return undefined;
    }
    const { text, secrets } = shown(written);
    const view: View | undefined = text === "" ? undefined : { name, text, place };
    return { place, view, problems: present(secrets > 0 && held(secrets, place)) };
  } catch (error) {
    const { message, fix } = fileError(error, "read_failed", "the file cannot be read");
    const problem: PolicyProblem = { file: place, message: `${message}, so it is not shown.`, fix };
    return { place, view: undefined, problems: [problem] };
  }
}

function held(secrets: number, file: string): PolicyProblem {
  const message = `${plural(secrets, "secret")} in it ${secrets === 1 ? "is" : "are"} not shown.`;
  return { file, message, fix: "Remove it from the file, and change it everywhere it's used." };
}

/** The text that a bundle may show. Private tags may be in comments, so they are handled first. */
function shown(written: string): { text: string; secrets: number } {
  const open = hidePrivate(written.replaceAll("\r\n", "\n"), "hides the rest").text;
  const { text, findings } = redact(
    open.replace(CODE_OR_COMMENT, (part, code) => (code ? part : "")),
  );
  return { text: text.trim(), secrets: findings.reduce((sum, { count }) => sum + count, 0) };
}
