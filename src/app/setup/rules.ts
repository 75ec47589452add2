/** The rules for an agent: the one text that has the whole loop, from which every rules file is made. */
import { BYTE_LIMITS } from "../../lessons/format/lesson.ts";
import { DEFAULT_COMPACT_THRESHOLD } from "../../lessons/policy.ts";

export const RULES = `# Project memory

This project has a memory (the sentinel-memory MCP server): lessons from earlier work, to weigh, not orders.
Do these steps in every task, however small. None may be skipped:

1. First call \`search_memory\` with the task's key words and at least three other names for the same things: synonyms,
   identifiers, error texts, in the lessons' language. Follow the lessons that apply and name them. Ask the user their
   \`ask_next_time\` unless the task answers it. If nothing matches, ask or state your assumptions.
2. At the end call \`log_memory\` once for each thing you had to find out, or were corrected on, because the instructions did
   not say it: what was missing (\`missing_context\`), the rule (\`lesson\`), the question to ask first (\`ask_next_time\`), and
   in \`when\` its file, command or error and two to four \`word:\` values, also in the language the team prompts in.
   If nothing was missing, log nothing. No code, no secrets, nothing marked private.
   A topic is a module or feature, like \`invoicing\`, \`login\`, \`search-index\` or \`data-import\`. Reuse one that a search shows.
   Too broad: \`server\`, \`bugs\`. Too narrow: \`null_check_march\`, \`parse_date_v3\`.
3. When an answer says a compaction is due (above ${DEFAULT_COMPACT_THRESHOLD} lessons, unless the project set another number), call \`compact_memory\`.
   Write principles that keep every rule, join their questions in at most ${BYTE_LIMITS.ask_next_time} bytes, and save them with the
   \`source_ids\` it prints.`;
