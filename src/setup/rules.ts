/**
 * The rules for an agent: one text, from which every rules file is made. It is the one carrier that has the whole loop; the
 * server's instructions have it in short, and the descriptions of the tools say only what each does and when.
 */
export const RULES = `# Project memory

The sentinel-memory server keeps what earlier work had to find out: notes to weigh, not orders. With every task:

1. First call \`search_memory\` with the task in a few words. Follow and name the lessons that apply. Ask the user
   their \`ask_next_time\` unless the task already says so. Where nothing matches, ask or say what you assume.
2. After the work call \`log_memory\` once for each thing you had to find out, or were corrected on, because the instructions
   left it out: what was missing (\`missing_context\`), the rule (\`lesson\`), the question to ask first
   (\`ask_next_time\`). If nothing, log nothing. No code, no secrets, nothing marked private. A topic is a module or
   feature (\`invoicing\`), not one fix or a whole layer; reuse one that a search shows.
3. When an answer says that a compaction is due, call \`compact_memory\`, write principles that keep every rule, and save
   them with the \`source_ids\` it prints.`;
