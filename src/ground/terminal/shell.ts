/** What a person can paste into a shell: this program as it was started, and words in quotes. */
import { basename, delimiter, dirname, join, relative } from "node:path";

const NAME = "sentinel-memory";

export interface Invocation {
  /** Absolute path of the script, as Node got it. */
  readonly script: string;
  readonly cwd: string;
  readonly path: string | undefined;
  /** The value of --project, if it was given. */
  readonly project: string | undefined;
}

/** The command that starts this program again in the same folder and for the same project. */
export function ownCommand({ script, cwd, path = "", project }: Invocation): string {
  const option = project === undefined ? "" : ` --project ${quoted(project)}`;
  const place = relative(cwd, script);
  if (basename(script) !== NAME) return `node ${quoted(place)}${option}`;
  // npm and its like put a project's programs into the path of what they run; nothing else sees them there.
  const isEverywhere =
    path.split(delimiter).includes(dirname(script)) &&
    !dirname(script).endsWith(join("node_modules", ".bin"));
  return `${isEverywhere ? NAME : quoted(dirname(place) === "." ? `./${place}` : place)}${option}`;
}

/** The text with every call of our commands as it can be pasted. */
export function pasteable(text: string, program: string, commands: readonly string[]): string {
  const call = new RegExp(`\\b${NAME} (?=(?:${commands.join("|")})\\b)`, "g");
  return text.replaceAll(call, () => `${program} `);
}

/** The word, in quotes where a shell would split it or read it in another way. Every shell of Windows knows double ones, cmd no others. */
export function quoted(word: string): string {
  if (/^[\w./:@-]+$/.test(word)) return word;
  if (process.platform === "win32") return `"${word.replaceAll('"', '""')}"`;
  return /["$`!\\]/.test(word) ? `'${word.replaceAll("'", `'\\''`)}'` : `"${word}"`;
}
