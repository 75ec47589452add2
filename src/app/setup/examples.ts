/**
 * What `init --views` lays out: examples of the views and policies that a project can have. Every value is commented out, so nothing
 * changes until somebody removes a mark. A person's own files are outside the project and are not laid out.
 */
import { CONTEXT_FOLDER } from "../../ground/project/context-folder.ts";

/** Paths from the project's folder, with forward slashes, and texts. */
export const EXAMPLES: Readonly<Record<string, string>> = {
  [`${CONTEXT_FOLDER}/policies/memory.yaml`]: `# Settings of the memory, for the whole team; these are the defaults. Remove "# " before a line to change it.
version: 1
# compact_threshold: 50
# session_tokens: 700
# record_tokens: 250
# ask_when_unknown: true
# hold: false
# instructions: lessons
`,
  [`${CONTEXT_FOLDER}/policies/budgets.yaml`]: `# How large a bundle of the active context may be, in tokens, and how much it may look at; these are the defaults.
# Remove "# " before a line to change it, and before the name of the group in which it stands.
version: 1
# max_tokens: 65000
# reserve_tokens: 5000
# sections:
#   identity: {max_tokens: 1200}
#   rules: {max_tokens: 6000}
#   task_state: {max_tokens: 3000}
#   lessons: {max_tokens: 3000}
#   relevant_decisions: {max_tokens: 8000}
#   retrieved_evidence: {max_tokens: 28000}
#   recent_window: {max_tokens: 12000}
#   tool_state: {max_tokens: 2000}
# limits:
#   chunks: 1000
`,
  [`${CONTEXT_FOLDER}/policies/channels.yaml`]: `# Which views a bundle for each channel shows, and the highest sensitivity; these are the defaults.
# Remove "# " before a line to change it. Secrets and, outside private, a person's preferences are never shown.
version: 1
# private: {views: [identity, rules.project, glossary, preferences], max_sensitivity: high}
# team: {views: [identity, rules.project, glossary], max_sensitivity: low}
# agent: {views: [identity, rules.project, glossary], max_sensitivity: low}
# public: {views: [identity, rules.project, glossary], max_sensitivity: low}
`,
  [`${CONTEXT_FOLDER}/policies/privacy.yaml`]: `# What must never be stored, for the whole team. Everybody who can read this repository can read this file too.
# Remove "# " before the lines and put your own words there. Patterns have the syntax of RE2.
version: 1
# never_store:
#   words:
#     - Example Customer
#   patterns:
#     - (?i)example-\\d{6}
`,
  [`${CONTEXT_FOLDER}/views/identity.md`]:
    view(`Who the agent is in this project, and how it behaves. Every bundle of the active context begins with it.

You maintain this project with care. You answer briefly, and say what you have not checked.`),
  [`${CONTEXT_FOLDER}/views/rules.project.md`]:
    view(`What holds for all work in this project: style, architecture, commands. Every bundle of the active context has it.

- Run the tests before you say that something works.
- Ask before you add a dependency.`),
  [`${CONTEXT_FOLDER}/views/glossary.md`]:
    view(`The words of this project, so that agents use them as people do. Every bundle of the active context has them.

- order: what a customer sent; it becomes an invoice when it is paid.`),
};

/** A text as a comment of Markdown, which a view is shown without. */
function view(text: string): string {
  return `<!--\n${text}\n\nRemove the first and the last line of this file, and write your own.\n-->\n`;
}
