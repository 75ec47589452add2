/** The end of each help page: an example, and how to undo the command. */
import type { Command } from "commander";
import type { Spell } from "../../ground/terminal/shell.ts";

/** An example, and how to undo the command if it changes or removes something. */
type Page = readonly [example: string, undo?: string];

/** The pages, by the words of the command without the program's name. */
const PAGES: Readonly<Record<string, Page>> = {
  "": ['search "rounding of vat"'],
  search: ['search "rounding of vat" --since 30d'],
  list: ["list --topic billing"],
  show: ["show 3f2a91c0"],
  why: ['why "npm publish"'],
  add: [
    'add --topic billing --missing "vat is rounded per line" --lesson "round each line" --path "src/billing/**"',
    "To undo it: sentinel-memory forget ID",
  ],
  edit: [
    'edit 3f2a91c0 --lesson "round each line, not the sum"',
    "To undo it: sentinel-memory restore ID",
  ],
  forget: [
    'forget 3f2a91c0 --reason "the module was removed"',
    "To undo it: sentinel-memory restore ID",
  ],
  restore: ["restore 3f2a91c0", "sentinel-memory forget ID removes it again."],
  purge: [
    "purge 3f2a91c0",
    "This cannot be undone. To remove a lesson that you may want back: sentinel-memory forget ID",
  ],
  export: ["export --json --output lessons.json"],
  import: [
    "import ../shop/.context/memory_log.jsonl --dry-run",
    "sentinel-memory forget ID removes an imported lesson. Collected notes wait for sentinel-memory review.",
  ],
  view: ["view --read-only"],
  review: [
    'review --keep f-3f2a91c0 --lesson "run npm ci first"',
    "sentinel-memory forget ID removes a lesson that you kept. --keep ID also takes back --never, unless it was a note.",
  ],
  mine: ["mine --yes"],
  diff: ["diff origin/main"],
  compact: ["compact --topic billing"],
  check: ["check --strict"],
  history: ["history --since 30d"],
  sessions: ["sessions status"],
  "sessions on": [
    "sessions on --keep-days 90",
    "To undo it: sentinel-memory sessions off. What was recorded stays until sentinel-memory sessions delete.",
  ],
  "sessions off": [
    "sessions off",
    "What is recorded stays. To record again: sentinel-memory sessions on",
  ],
  "sessions status": ["sessions status"],
  "sessions list": ["sessions list --since 7d"],
  "sessions search": ['sessions search "deploy failed" --kind tool_result'],
  "sessions show": ["sessions show 8f14e45f"],
  "sessions skip": [
    "sessions skip 8f14e45f",
    "This cannot be undone. The client's own transcript stays.",
  ],
  "sessions purge": [
    'sessions purge --text "acme.example"',
    "This cannot be undone. The client's own transcripts stay, and the command lists them.",
  ],
  "sessions capture": [
    "sessions capture --since 30d",
    "sentinel-memory sessions purge ID removes what it recorded.",
  ],
  "sessions export": ["sessions export ../shop.jsonl"],
  "sessions import": [
    "sessions import ../shop.jsonl",
    "sentinel-memory sessions purge ID removes what it added.",
  ],
  "sessions delete": [
    "sessions delete --name shop",
    "This cannot be undone. To keep a copy first: sentinel-memory sessions export FILE",
  ],
  context: ['context "why does the deploy fail?" --max-tokens 2000'],
  decisions: ["decisions postgres --status all"],
  tasks: ["tasks --all"],
  pin: [
    'pin "releases only on Tuesdays" --note "ops rule"',
    "To undo it: sentinel-memory pin --remove ID",
  ],
  init: ["init --agents claude,codex --dry-run", "To undo it: sentinel-memory uninstall"],
  doctor: ["doctor --fix", "git diff shows what --fix changed."],
  digest: [
    "digest on",
    "sentinel-memory digest off removes it, and sentinel-memory digest on writes it again.",
  ],
  config: ["config --json"],
  uninstall: [
    "uninstall --dry-run",
    "The memory stays. A copy removes itself, so init then needs a clone of Sentinel Memory.",
  ],
  daemon: ["daemon serve --port 7331"],
  "daemon serve": ["daemon serve --host 0.0.0.0 --allow-host memory.example.com"],
  "daemon migrate": [
    "daemon migrate --dry-run",
    "Run it as the role that owns the database. It cannot be undone, so back up the database first.",
  ],
  "daemon tenant": ["daemon tenant list"],
  "daemon tenant create": [
    "daemon tenant create shop",
    "To undo it: sentinel-memory daemon tenant delete NAME",
  ],
  "daemon tenant list": ["daemon tenant list"],
  "daemon tenant views": [
    "daemon tenant views .context/views/*.md .context/memory_log.jsonl --tenant shop",
    "An empty file of the same name removes it.",
  ],
  "daemon tenant set-privacy": [
    "daemon tenant set-privacy .context/policies/privacy.yaml --tenant shop",
    "Run it again with another file to replace it. Stored events stay as they are.",
  ],
  "daemon tenant set-retention": [
    "daemon tenant set-retention 90 --tenant shop",
    "Run it again to change it. Events that a daemon deleted cannot be restored.",
  ],
  "daemon tenant delete": ["daemon tenant delete shop", "This cannot be undone."],
  "daemon person": ["daemon person remove ann --tenant shop"],
  "daemon person remove": [
    "daemon person remove ann --tenant shop --export ann.jsonl",
    "This cannot be undone. To give the person a new token: sentinel-memory daemon token create --tenant TENANT --person NAME",
  ],
  "daemon token": ["daemon token list"],
  "daemon token create": [
    "daemon token create --tenant shop --person ann",
    "To undo it: sentinel-memory daemon token revoke ID",
  ],
  "daemon token list": ["daemon token list --tenant shop"],
  "daemon token revoke": [
    "daemon token revoke k3v9",
    "This cannot be undone. To give the person another one: sentinel-memory daemon token create --tenant TENANT --person NAME",
  ],
  "daemon token rotate": [
    "daemon token rotate --url https://memory.example.com --overlap 24",
    "This cannot be undone. The old token ends after the overlap, or at once if the operator made it.",
  ],
  "daemon audit": ["daemon audit --tenant shop --person ann"],
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

function textOf([example, undo]: Page): string {
  const sentences = undo?.split(/(?<=\.) /).join("\n");
  const after = sentences === undefined ? "" : `\n\n${sentences}`;
  return `\nExample:\n  sentinel-memory ${example}${after}`;
}
