/** What answering calls needs beside the handlers, in one module: Node takes a millisecond for each that it loads. Loaded after the handshake. */
export { warmUp } from "../../ground/redaction/redact.ts";
export { LessonRanking } from "../../lessons/queries/lesson-ranking.ts";
export { Conversation } from "../../lessons/tools/conversation.ts";
export { completeAnswer } from "./complete-answer.ts";
