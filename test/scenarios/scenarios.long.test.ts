/** The stories that take too long for every run. */
import { tellStories } from "./tell-stories.ts";

await tellStories((scenario) => scenario?.long ?? false);
