/** Spellings of release 0.1.0 that still work: each becomes what the same thing is called now. They stay for one release. */

/** An option with a value, which may stand before the name of a command. */
const WITH_VALUE = "--project";

type Rewrite = (rest: readonly string[]) => readonly string[] | undefined;

const OLD: Readonly<Record<string, Rewrite>> = {
  search(rest) {
    const at = rest.indexOf("--in");
    const others = rest.toSpliced(at, 2);
    return at < 0
      ? undefined
      : { memory: ["search", ...others], record: ["record", "search", ...others] }[rest[at + 1] ?? ""];
  },
  history: (rest) =>
    rest.includes("--sessions") ? ["record", "sessions", ...rest.filter((word) => word !== "--sessions")] : undefined,
  show: (rest) => (namesSession(rest) ? ["record", "show", ...rest] : undefined),
  purge: (rest) =>
    namesSession(rest) || rest.some((word) => /^--text\b/.test(word)) ? ["record", "purge", ...rest] : undefined,
};

/** The arguments of a call as they are spelt now. @param args without the program and its script. */
export function respelt(args: readonly string[]): readonly string[] {
  const at = args.findIndex((word, place) => !word.startsWith("-") && args[place - 1] !== WITH_VALUE);
  const [name = "", ...rest] = at < 0 ? [] : args.slice(at);
  const now = Object.hasOwn(OLD, name) ? OLD[name]?.(rest) : undefined;
  return now ? [...args.slice(0, at), ...now] : args;
}

/** Whether the id that is given can only be that of an event or a session. */
function namesSession(rest: readonly string[]): boolean {
  return /^(?:evt_|chk_|[0-9a-f]{8}-)/.test(rest.find((word) => !word.startsWith("-")) ?? "");
}
