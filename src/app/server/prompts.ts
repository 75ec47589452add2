/** Prompts that a person can pick in the client, one for each step of the loop. */

type Given = Readonly<Record<string, string>>;

const PROMPTS = [
  {
    name: "recall",
    description: "Before a task: what does the project already know about it?",
    arguments: [{ name: "task", description: "The task in a few words.", required: false }],
    text: ({ task }: Given) =>
      `Call search_memory ${task ? `with the query ${JSON.stringify(task)}` : "with the task at hand as query"}. Tell me which lessons apply and why, and ask me the open questions before you change anything.`,
  },
  {
    name: "retrospect",
    description: "After a task: keep what the instructions had left out.",
    arguments: [],
    text: () =>
      "Look back at this task. For each thing that you had to find out, correct or be told because the instructions did not say it, call log_memory once: what was missing, the rule for next time, and the question to ask first. Reuse topics that exist. If there was nothing, say so and log nothing.",
  },
  {
    name: "compact",
    description: "Merge related lessons into principles.",
    arguments: [{ name: "topic", description: "Only this topic.", required: false }],
    text: ({ topic }: Given) =>
      `Call compact_memory${topic ? ` with target_topic ${JSON.stringify(topic)}` : ""}. For each group write as few principles as keep every rule, show them to me, and after my approval make the log_memory calls that were printed, each with its principle.`,
  },
];

/** The prompts as `prompts/list` shows them. */
export const listPrompts = () => PROMPTS.map(({ text: _, ...prompt }) => prompt);

/** The text of a prompt with its arguments filled in; undefined for an unknown name. */
export function promptText(name: string, args: Given): string | undefined {
  return PROMPTS.find((prompt) => prompt.name === name)?.text(args);
}
