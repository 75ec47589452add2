/** Every story in scenarios/; the long ones only where they are asked for. */
import { tellStories } from "./tell-stories.ts";

const isAll = process.env.SCENARIOS_LONG === "1";

await tellStories((scenario) => isAll || !scenario?.long);
