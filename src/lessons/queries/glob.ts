/** Matches globs against paths. Follows all alternatives at once, so the steps for a character never exceed the length of the pattern. */

/** Whether a path matches a glob. `*` and `?` match in a segment, `**` matches any folders, and a glob without a slash matches in any folder. @param onStep counts the work, for a test. */
export function matchesGlob(glob: string, path: string, onStep?: () => void): boolean {
  const parts = partsOf(glob);
  let reached = new Set<number>();
  enter(0, parts, reached);
  let previous = "/";
  for (const character of path.replaceAll("\\", "/").replace(/^\.?\//, "")) {
    const next = new Set<number>();
    for (const place of reached) {
      onStep?.();
      const part = parts[place];
      if (part === undefined) continue;
      if (part === "any folders") {
        // The next part may begin only after a folder.
        next.add(place);
        if (character === "/") enter(place + 1, parts, next);
      } else if (part === "any" || (part === "any in a segment" && character !== "/"))
        enter(place, parts, next);
      else if (part === "one" ? character !== "/" : part === character)
        enter(place + 1, parts, next);
    }
    reached = next;
    previous = character;
  }
  return previous !== "/" && reached.has(parts.length);
}

/** Adds a place. If its part may match an empty text, adds the places after it too. */
function enter(place: number, parts: readonly string[], reached: Set<number>): void {
  for (let last = place; ; last++) {
    reached.add(last);
    const part = parts[last];
    if (part !== "any in a segment" && part !== "any" && part !== "any folders") return;
  }
}

/** A glob's parts: a literal character, or the name of a wildcard. */
function partsOf(glob: string): string[] {
  const normal = glob.replaceAll("\\", "/").replace(/^\.?\//, "");
  const segments = (normal.includes("/") ? normal : `**/${normal}`)
    .replace(/\/$/, "/**")
    .split("/");
  return segments.flatMap((segment, index) => {
    const isLast = index === segments.length - 1;
    if (segment === "**") return isLast ? ["any"] : ["any folders"];
    const parts = Array.from(segment, (character) => WILD[character] ?? character);
    if (!isLast) parts.push("/");
    return parts;
  });
}

const WILD: Readonly<Record<string, string>> = { "*": "any in a segment", "?": "one" };
