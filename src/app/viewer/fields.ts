/** The labels of a lesson's texts, for the page and the export. */
export const LABELS = {
  missing_context: "Was missing",
  lesson: "Lesson",
  ask_next_time: "Ask next time",
  when: "Comes up",
} as const;

export const FIELDS = Object.entries(LABELS) as [keyof typeof LABELS, string][];
