import type { AddCommand } from "../command.ts";
import { addPush } from "./lessons/push.ts";

export const addLessons: AddCommand = (program, open, here) => {
  const lessons = program
    .command("lessons")
    .description("lessons for agents without a clone, at a daemon");
  addPush(lessons, open, here);
};
