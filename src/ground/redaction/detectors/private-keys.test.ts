import { describe, expect, test } from "vitest";
import { letters, seeded } from "../../../../test/support/secret-samples.ts";
import { redact } from "../redact.ts";

const random = seeded(5);
const DASHES = "-----"; // apart, so that no scanner takes this file for a key
const begin = (type: string) => `${DASHES}BEGIN ${type} KEY${DASHES}`;
const end = (type: string) => `${DASHES}END ${type} KEY${DASHES}`;
const lines = () => [
  letters(random, "b", 64),
  letters(random, "b", 64),
  `${letters(random, "b", 30)}==`,
];

describe("a private key", () => {
  test.each(["PRIVATE", "RSA PRIVATE", "EC PRIVATE", "OPENSSH PRIVATE", "ENCRYPTED PRIVATE"])(
    "%s goes as one",
    (type) => {
      const key = [begin(type), ...lines(), end(type)].join("\n");
      expect(redact(`the key is\n${key}\nand more`).text).toBe("the key is\n[REDACTED]\nand more");
      expect(redact(JSON.stringify({ key, port: 80 })).text).toBe('{"key":"[REDACTED]","port":80}');
      expect(redact(`key: ${Buffer.from(key).toString("base64")}`).text).toBe("key: [REDACTED]");
    },
  );

  test("cut off goes as far as it reads like a key", () => {
    const [first = "", second = ""] = lines();
    expect(
      redact(`${begin("PRIVATE")}\n${first}\n${second}\nand then the deploy failed`).text,
    ).toBe("[REDACTED]\nand then the deploy failed");
  });

  test("that is only mentioned, and a certificate, stay", () => {
    for (const note of [
      `${begin("PRIVATE")} must never be committed`,
      `${begin("PRIVATE")}\n...\n${end("PRIVATE")}`,
      `${DASHES}BEGIN CERTIFICATE${DASHES}\n${lines().join("\n")}\n${DASHES}END CERTIFICATE${DASHES}`,
    ]) {
      expect(redact(note).text).toBe(note);
    }
  });
});
