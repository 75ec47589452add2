const TOOLS_OF_THE_RECORD = `Call build_acb to go on with earlier work or ask about it; record_event when something is decided, a task begins or ends, or work is handed over; query_decisions before you change what may be settled; get_artifact to see what an id names.`;

/** What follows the loop where sessions are recorded. */
export const RECORDED = `Sessions here are recorded. ${TOOLS_OF_THE_RECORD}`;

/** For an agent without a clone, whose transcript nobody reads. */
export const RECORDED_ELSEWHERE = `This is a project's session log. Of yours it has what you record and nothing else. ${TOOLS_OF_THE_RECORD}`;
