import { expect, it } from "vitest";
import { patiently, patientlySync } from "./patiently.ts";

const failing = (code: string, times: number) => {
  let left = times;
  return () => {
    if (left-- > 0) throw Object.assign(new Error(`${code}: held`), { code });
    return "replaced";
  };
};

it.each(["EPERM", "EACCES", "EBUSY"])(
  "a file that is held with %s for a moment is waited for",
  async (code) => {
    expect(await patiently(failing(code, 5))).toBe("replaced");
    expect(patientlySync(failing(code, 5))).toBe("replaced");
  },
);

it("a file that stays held is an error in the end", async () => {
  await expect(patiently(failing("EPERM", 6))).rejects.toMatchObject({ code: "EPERM" });
  expect(() => patientlySync(failing("EPERM", 6))).toThrow("EPERM");
});

it("any other error comes at once", async () => {
  await expect(patiently(failing("ENOSPC", 1))).rejects.toMatchObject({ code: "ENOSPC" });
  expect(() => patientlySync(failing("ENOENT", 1))).toThrow("ENOENT");
});
