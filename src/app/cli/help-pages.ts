/** The end of each help page: an example, and how to undo the command. */
import type { Command } from "commander";
import type { Spell } from "../../ground/terminal/shell.ts";

interface Page {
  readonly example: string;
  /** How to undo the command, if it changes or removes something. */
  readonly undo?: string;
}

/** The pages, by the words of the command without the program's name. */
const PAGES: Readonly<Record<string, Page>> = {
  "": { example: 'search "rounding of vat"' },
  search: { example: 'search "rounding of vat" --since 30d' },
  list: { example: "list --topic billing" },
  show: { example: "show 3f2a91c0" },
  why: { example: 'why "npm publish"' },
  add: {
    example:
      'add --topic billing --missing "vat is rounded per line" --lesson "round each line" --path "src/billing/**"',
    undo: "To undo it: sentinel-memory forget ID",
  },
  edit: {
    example: 'edit 3f2a91c0 --lesson "round each line, not the sum"',
    undo: "To undo it: sentinel-memory restore ID",
  },
  forget: {
    example: 'forget 3f2a91c0 --reason "the module was removed"',
    undo: "To undo it: sentinel-memory restore ID",
  },
  restore: { example: "restore 3f2a91c0", undo: "sentinel-memory forget ID removes it again." },
  purge: {
    example: "purge 3f2a91c0",
    undo: "This cannot be undone. To remove a lesson that you may want back: sentinel-memory forget ID",
  },
  export: { example: "export --json --output lessons.json" },
  import: {
    example: "import ../shop/.context/memory_log.jsonl --dry-run",
    undo: "sentinel-memory forget ID removes an imported lesson. Collected notes wait for sentinel-memory review.",
  },
  view: { example: "view --read-only" },
  review: {
    example: 'review --keep f-3f2a91c0 --lesson "run npm ci first"',
    undo: "sentinel-memory forget ID removes a lesson that you kept. --keep ID also takes back --never, unless it was a note.",
  },
  mine: { example: "mine --yes" },
  diff: { example: "diff origin/main" },
  compact: { example: "compact --topic billing" },
  check: { example: "check --strict" },
  history: { example: "history --since 30d" },
  sessions: { example: "sessions status" },
  "sessions on": {
    example: "sessions on --keep-days 90",
    undo: "To undo it: sentinel-memory sessions off. What was recorded stays until sentinel-memory sessions delete.",
  },
  "sessions off": {
    example: "sessions off",
    undo: "What is recorded stays. To record again: sentinel-memory sessions on",
  },
  "sessions status": { example: "sessions status" },
  "sessions list": { example: "sessions list --since 7d" },
  "sessions search": { example: 'sessions search "deploy failed" --kind tool_result' },
  "sessions show": { example: "sessions show 8f14e45f" },
  "sessions skip": {
    example: "sessions skip 8f14e45f",
    undo: "This cannot be undone. The client's own transcript stays.",
  },
  "sessions purge": {
    example: 'sessions purge --text "acme.example"',
    undo: "This cannot be undone. The client's own transcripts stay, and the command lists them.",
  },
  "sessions capture": {
    example: "sessions capture --since 30d",
    undo: "sentinel-memory sessions purge ID removes what it recorded.",
  },
  "sessions export": { example: "sessions export ../shop.jsonl" },
  "sessions import": {
    example: "sessions import ../shop.jsonl",
    undo: "sentinel-memory sessions purge ID removes what it added.",
  },
  "sessions delete": {
    example: "sessions delete --name shop",
    undo: "This cannot be undone. To keep a copy first: sentinel-memory sessions export FILE",
  },
  context: { example: 'context "why does the deploy fail?" --max-tokens 2000' },
  decisions: { example: "decisions postgres --status all" },
  tasks: { example: "tasks --all" },
  pin: {
    example: 'pin "releases only on Tuesdays" --note "ops rule"',
    undo: "To undo it: sentinel-memory pin --remove ID",
  },
  init: {
    example: "init --agents claude,codex --dry-run",
    undo: "To undo it: sentinel-memory uninstall",
  },
  doctor: {
    example: "doctor --fix",
    undo: "git diff shows what --fix changed.",
  },
  digest: {
    example: "digest on",
    undo: "sentinel-memory digest off removes it, and sentinel-memory digest on writes it again.",
  },
  config: { example: "config --json" },
  uninstall: {
    example: "uninstall --dry-run",
    undo: "The memory stays. A copy removes itself, so init then needs a clone of Sentinel Memory.",
  },
  daemon: { example: "daemon serve --port 7331" },
  "daemon serve": { example: "daemon serve --host 0.0.0.0 --allow-host memory.example.com" },
  "daemon migrate": {
    example: "daemon migrate --dry-run",
    undo: "Run it as the role that owns the database. It cannot be undone, so back up the database first.",
  },
  "daemon tenant": { example: "daemon tenant list" },
  "daemon tenant create": {
    example: "daemon tenant create shop",
    undo: "To undo it: sentinel-memory daemon tenant delete NAME",
  },
  "daemon tenant list": { example: "daemon tenant list" },
  "daemon tenant views": {
    example: "daemon tenant views .context/views/*.md .context/memory_log.jsonl --tenant shop",
    undo: "An empty file of the same name removes it.",
  },
  "daemon tenant set-privacy": {
    example: "daemon tenant set-privacy .context/policies/privacy.yaml --tenant shop",
    undo: "Run it again with another file to replace it. Stored events stay as they are.",
  },
  "daemon tenant set-retention": {
    example: "daemon tenant set-retention 90 --tenant shop",
    undo: "Run it again to change it. Events that a daemon deleted cannot be restored.",
  },
  "daemon tenant delete": {
    example: "daemon tenant delete shop",
    undo: "This cannot be undone.",
  },
  "daemon person": { example: "daemon person remove ann --tenant shop" },
  "daemon person remove": {
    example: "daemon person remove ann --tenant shop --export ann.jsonl",
    undo: "This cannot be undone. To give the person a new token: sentinel-memory daemon token create --tenant TENANT --person NAME",
  },
  "daemon token": { example: "daemon token list" },
  "daemon token create": {
    example: "daemon token create --tenant shop --person ann",
    undo: "To undo it: sentinel-memory daemon token revoke ID",
  },
  "daemon token list": { example: "daemon token list --tenant shop" },
  "daemon token revoke": {
    example: "daemon token revoke k3v9",
    undo: "This cannot be undone. To give the person another one: sentinel-memory daemon token create --tenant TENANT --person NAME",
  },
  "daemon token rotate": {
    example: "daemon token rotate --url https://memory.example.com --overlap 24",
    undo: "This cannot be undone. The old token ends after the overlap, or at once if the operator made it.",
  },
  "daemon audit": { example: "daemon audit --tenant shop --person ann" },
};

/** Adds an example to each help page, and how to undo the command. */
export function completeHelp(command: Command, spelt: Spell, words: readonly string[] = []): void {
  const page = PAGES[words.join(" ")];
  if (page) {
    command.addHelpText("after", () => spelt(textOf(page)));
  }
  for (const inner of command.commands) {
    completeHelp(inner, spelt, [...words, inner.name()]);
  }
}

function textOf({ example, undo }: Page): string {
  const sentences = undo?.split(/(?<=\.) /).join("\n");
  const after = sentences === undefined ? "" : `\n\n${sentences}`;
  return `\nExample:\n  sentinel-memory ${example}${after}`;
}
