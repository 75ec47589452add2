/** The program loads this for an agent once there is something to answer. */
export { answerPayload } from "../hooks/answer-payload.ts";
export { openCalls } from "./calls.ts";
