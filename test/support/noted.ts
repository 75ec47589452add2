/** What four clients remember of a project, and what five files of it say, in the formats that these have. */
import type { Project } from "./project.ts";
import { SECRET_TOKEN } from "./secret-token.ts";

const CLAUDE_PROJECTS = "~/.claude/projects";
const named = (folder: string) => folder.replaceAll(/[^a-zA-Z0-9]/g, "-");

/** The folder of a project's auto memory. */
export const claudeMemory = ({ folder }: Project): string =>
  `${CLAUDE_PROJECTS}/${named(folder)}/memory`;

/** Files of the clients, by their paths; `~/x` is in the home folder. */
export function nativeMemories(project: Project): Record<string, string> {
  const { folder, home } = project;
  const claude = claudeMemory(project);
  const vscode = "~/.config/Code/User/workspaceStorage";
  const memories = "GitHub.copilot-chat/memory-tool/memories";
  return {
    [`${claude}/MEMORY.md`]: `# Memory\n\n- [Refunds](feedback_refunds.md) — use the refund API. Always.\n`,
    [`${claude}/feedback_refunds.md`]: `---
name: refunds
description: "Refunds have an API of their own"
metadata:
  node_type: memory
  type: feedback
  originSessionId: 5da15695-411e-4859-a37b-b739ede023ae
---

Refunds go through \`src/refunds.ts\`, never as a negative charge.

**Why:** a negative charge broke the books; the key was ${SECRET_TOKEN}.

**How to apply:** whenever an amount goes back.
<private>
The customer was Globex, on the phone.
</private>
`,
    [`${claude}/user_role.md`]: `---\nname: role\ndescription: The person writes Go\ntype: user\n---\n\nTen years of Go, new to this front end.\n`,
    [`${CLAUDE_PROJECTS}/-somewhere-else/memory/other.md`]: `---\nname: other\ntype: project\n---\n\nNothing of this project, says the other one.\n`,
    "~/.codex/memories/MEMORY.md": `# Task Group: Shop checkout and releases
scope: release and verification
applies_to: cwd=${folder}; reuse_rule=safe for this checkout

## Task 1: Fix the release, success

### rollout_summary_files

- rollout_summaries/2026-04-22-abc.md (cwd=${folder}, updated_at=2026-04-22T14:31:33+00:00)

### keywords

- release, verification, tags, of which none is a note

## User preferences

- the user likes short reports with no tables in them

## Reusable knowledge

- Tags are signed on the release machine alone; \`git tag -s\` fails elsewhere [Task 1]

## Failures and how to do differently

- Symptom: the upload stops with \`error: token expired\`; fix: log in with ${SECRET_TOKEN} first [Task 1]

# Task Group: Other checkout
applies_to: cwd=${home}/other and ${folder}; reuse_rule=verify first

## Reusable knowledge

- Something of two projects at once is left alone

# Task Group: Anywhere
applies_to: cwd=unknown; reuse_rule=workflow

## Reusable knowledge

- Something of no project in particular is left alone
`,
    "~/.codex/memories/raw_memories.md":
      "# Raw\n\n- Raw memories of everything are not read at all\n",
    "~/.gemini/GEMINI.md": "## Gemini Added Memories\n- I prefer tabs in all of my projects\n",
    "~/.gemini/tmp/shop/.project_root": folder,
    "~/.gemini/tmp/shop/memory/MEMORY.md": `# Project memory\n\n- The staging database is reset every night at two o'clock\n- The password of staging is password=${SECRET_TOKEN}\n`,
    "~/.gemini/tmp/other/.project_root": `${home}/other`,
    "~/.gemini/tmp/other/memory/MEMORY.md": "- The other project has notes of its own\n",
    [`${vscode}/abc/workspace.json`]: JSON.stringify({ folder: `file://${folder}` }),
    [`${vscode}/abc/${memories}/repo/environment.md`]: `# Environment\n\n- Node 22 is needed for the integration tests here\n- Sign in with ${SECRET_TOKEN} before you start the tests\n`,
    [`${vscode}/abc/${memories}/MTUyMWFi/plan.md`]:
      "- A plan of one session is no note of the project\n",
    [`${vscode}/def/workspace.json`]: JSON.stringify({ folder: `file://${home}/other` }),
    [`${vscode}/def/${memories}/repo/environment.md`]:
      "- The other workspace has notes of its own too\n",
    "~/.config/Code/User/globalStorage/github.copilot-chat/memory-tool/memories/style.md":
      "- In all projects I like it short\n",
  };
}

/** Files of the project that agents load. */
export const RULES: Readonly<Record<string, string>> = {
  "CLAUDE.md": `# Shop

This project sells things. The code is in \`src/\`.

## Commands

- \`npm test\` runs all tests
- Never run \`npm publish\`; the release machine does it
- Always be kind to your colleagues

<!-- sentinel-memory:start (written by sentinel-memory init; changes in here are overwritten) -->
- Never edit \`src/refunds.ts\` without a look into the memory
<!-- sentinel-memory:end -->

\`\`\`
never edit src/refunds.ts in an example
\`\`\`
`,
  "AGENTS.md": `## Payment

- Amounts in \`src/refunds.ts\` must be integers in cents, and the key is ${SECRET_TOKEN}
- If you see \`error: lock is held by another\`, do not delete the lock: wait
- src/ has the code, test/ has the tests
- \`src/gone.ts\` must never be edited, says a rule about a file that was never there
`,
  ".cursor/rules/api.mdc": `---
description: Rules of the API
globs: src/api/**/*.ts, test/api/**
alwaysApply: false
---

- Every handler must check the tenant before it reads
- The API has nine handlers
`,
  ".github/copilot-instructions.md": `# Instructions

Use \`scripts/seed.sh\` to fill the database.
Prefer early returns everywhere.

- After you change \`db/schema.sql\`, run \`npm run types\`.
`,
  "docs/adr/0007-queue.md": `# 7. Jobs go through the queue

## Status

Accepted

## Context

We never had a queue in \`src/jobs.ts\` before.

## Decision

Every job in \`src/jobs.ts\` must be idempotent.
`,
  "docs/adr/0003-cron.md":
    "# 3. Cron\n\nStatus: Superseded by 7\n\n## Decision\n\nJobs in `src/jobs.ts` must be started by cron.\n",
};

/** The files that the rules are about. */
export const CODE: Readonly<Record<string, string>> = Object.fromEntries(
  [
    "src/refunds.ts",
    "src/jobs.ts",
    "src/api/a.ts",
    "test/api/a.ts",
    "db/schema.sql",
    "scripts/seed.sh",
  ].map((path) => [path, ""]),
);
