/** Prompts that users pick in their client, one per step of the loop. */

type Given = Readonly<Record<string, string>>;

const PROMPTS = [
  {
    name: "recall",
    description: "Before a task: find the lessons about it.",
    arguments: [{ name: "task", description: "The task in a few words.", required: false }],
    text: ({ task }: Given) =>
      `Call search_memory ${task ? `for the task ${JSON.stringify(task)}` : "for the current task"}: its key words and at least three other names for the same things, in the lessons' language. Tell me which lessons apply and why. Ask me their open questions before you change anything.`,
  },
  {
    name: "retrospect",
    description: "After a task: save what the instructions had left out.",
    arguments: [],
    text: () =>
      "Look back at this task. For each thing you had to find out, correct or be told because the instructions did not say it, call log_memory once: what was missing, the rule for next time, the question to ask first, and in when its file, command or error and two to four word: values, also in the language I prompt in. Reuse existing topics. If nothing was missing, tell me and log nothing.",
  },
  {
    name: "compact",
    description: "Merge related lessons into principles.",
    arguments: [{ name: "topic", description: "Only this topic.", required: false }],
    text: ({ topic }: Given) =>
      `Call compact_memory${topic ? ` with target_topic ${JSON.stringify(topic)}` : ""}. For each group, write the fewest principles that keep every rule and show them to me. After my approval, make the printed log_memory calls, each with its principle.`,
  },
];

/** Returns the prompts in the format of `prompts/list`. */
export const listPrompts = () => PROMPTS.map(({ text: _, ...prompt }) => prompt);

/** Returns a prompt with its arguments filled in. Undefined for an unknown name. */
export function promptText(name: string, args: Given): string | undefined {
  return PROMPTS.find((prompt) => prompt.name === name)?.text(args);
}
