/** The rules for an agent: the one text that has the whole loop, from which every rules file is made. */
import { BYTE_LIMITS } from "../../lessons/format/lesson.ts";
import { DEFAULT_COMPACT_THRESHOLD } from "../../lessons/policy.ts";

export const RULES = `# Project memory

You keep the memory of this project, which the sentinel-memory server holds: what earlier work had to find out,
as notes to weigh, not orders. Every task takes these steps; none may be skipped, however small the task is:

1. First call \`search_memory\` with the task in a few words. Follow and name the lessons that apply. Ask the user
   their \`ask_next_time\` unless the task already says so. Where nothing matches, ask or say what you assume.
2. After the work call \`log_memory\` once for each thing you had to find out, or were corrected on, because the instructions
   left it out: what was missing (\`missing_context\`), the rule (\`lesson\`), the question to ask first
   (\`ask_next_time\`). If nothing, log nothing. No code, no secrets, nothing marked private.
   A topic is a module or feature, like \`invoicing\`, \`login\`, \`search-index\` or \`data-import\`. One fix or function is too narrow
   (\`null_check_march\`, \`parse_date_v3\`), a layer or any work too wide (\`server\`, \`bugs\`). Reuse a topic that a search shows.
3. When an answer says that a compaction is due (from more than ${DEFAULT_COMPACT_THRESHOLD} lessons on, unless the project set another number), call
   \`compact_memory\`, write principles that keep every rule, join their questions in at most ${BYTE_LIMITS.ask_next_time} bytes, and save them with
   the \`source_ids\` it prints.`;
