/** Parses the globs in a rules file's frontmatter, in the formats of Cursor, Copilot and Claude Code. */
const FIELD = /^(?:globs|applyTo|paths):[ \t]*(\[[^\]]*\]|.*(?:\r?\n[ \t]*-[ \t].*)*)/m;
const COMMENT = /[ \t]#.*$/gm;
/** A comma within braces separates choices, not globs. */
const BETWEEN_GLOBS = /(?:,|\n)(?!(?:[^{}\n]|\{[^{}\n]*\})*\})/;
const AROUND_A_GLOB = /^[\s[]*(?:-\s+)?["']?|["']?[\s\]]*$/g;
const INNERMOST_BRACES = /\{([^{}]*)\}/;
/** The most paths of a lesson. */
const MOST_GLOBS = 8;
const MOST_EXPANDED = 64;

/** Expands braces to one glob per choice. Empty if there are too many. */
export function expandBraces(glob: string): string[] {
  let globs = [glob];
  while (globs.some((one) => INNERMOST_BRACES.test(one))) {
    globs = globs.flatMap(expandOnce);
    if (globs.length > MOST_EXPANDED) return [];
  }
  return [...new Set(globs)];
}

function expandOnce(glob: string): string[] {
  const [braces, choices] = INNERMOST_BRACES.exec(glob) ?? [];
  if (braces === undefined || choices === undefined) return [glob];
  return choices.split(",").map((choice) => glob.replace(braces, () => choice.trim()));
}

/** The globs of a rules file, without those that exclude files or match every file. */
export function globsIn(frontmatter: string): readonly string[] {
  const [, listed = ""] = FIELD.exec(frontmatter) ?? [];
  const globs = listed
    .replaceAll(COMMENT, "")
    .split(BETWEEN_GLOBS)
    .map((glob) => glob.replaceAll(AROUND_A_GLOB, ""))
    .filter((glob) => /^(?!!).*[\p{L}\p{N}]/u.test(glob));
  return [...new Set(globs.flatMap(expandBraces))].slice(0, MOST_GLOBS);
}
