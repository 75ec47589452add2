/** For a test file that mocks `node:path` with the paths of Windows: the platform's name and the home folder, as there. */
import { afterAll, beforeAll } from "vitest";

export const HOME = "C:\\Users\\Ann Lee";

export function asOnWindows(): void {
  const [platform, home] = [Object.getOwnPropertyDescriptor(process, "platform"), process.env.HOME];
  beforeAll(() => {
    Object.defineProperty(process, "platform", { ...platform, value: "win32" });
    process.env.HOME = HOME;
  });
  afterAll(() => {
    Object.defineProperty(process, "platform", { ...platform });
    process.env.HOME = home;
  });
}
