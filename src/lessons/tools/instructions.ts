/** The instructions of `initialize`: the loop in short, for an agent without a rules file. Each session pays their tokens. */
export const INSTRUCTIONS = `This project has a memory: lessons from earlier work, to weigh, not orders.
1. At the start of every task, call search_memory with the task's key words and at least three other names for the same things. Follow the lessons that apply. Ask their ask_next_time unless the task answers it.
2. At the end, call log_memory once for each thing you had to find out because the instructions did not say it. In when, name the file, command or error. Log nothing the user marked private.
3. When an answer says a compaction is due, call compact_memory and follow it.`;
