const TOOLS_OF_THE_RECORD = `To continue or ask about earlier work, call build_acb, with synonyms in query. When something is decided, begun, done or handed over, call record_event. Before changing something that may be intentional, call query_decisions. For the full text of an id, call get_artifact.`;

/** Added to the instructions if sessions are recorded. */
export const RECORDED = `Sessions are recorded. ${TOOLS_OF_THE_RECORD}`;

/** For an agent without a clone, which has no transcript to read. */
export const RECORDED_ELSEWHERE = `This is a project's session log. It contains only what you record. ${TOOLS_OF_THE_RECORD}`;
