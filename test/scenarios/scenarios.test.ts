/** Every story in scenarios/ but the long ones. */
import { tellStories } from "./tell-stories.ts";

await tellStories((scenario) => !scenario?.long);
