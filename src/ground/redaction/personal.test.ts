import { expect, it } from "vitest";
import { visitedCharacters } from "../../../test/support/visited-characters.ts";
import { findEmails, findPhones } from "./personal.ts";

const emailsIn = (text: string) => findEmails(text).map(({ start, end }) => text.slice(start, end));
const phonesIn = (text: string) => findPhones(text).map(({ start, end }) => text.slice(start, end));

it.each(["ann@example.com", "ann.smith+shop@mail.example.co.uk", "a_b%c@x-y.museum"])(
  "finds an address, and no more than it: %s",
  (address) => {
    expect(emailsIn(`From: <${address}>, 연락처는 ${address}으로, mailto:${address}.`)).toEqual(
      Array(3).fill(address),
    );
  },
);

it.each([
  "이름@example.com",
  "名字@example.com",
  "foo＠example.com",
  "foo%40example.com",
  "ｋｉｍ＠ｅｘａｍｐｌｅ．ｋｒ",
  "a@bücher.example",
  "名字@公司.中国",
])("finds an address in another form: %s", (address) => {
  expect(emailsIn(`To: ${address}, cc=${address}`)).toEqual([address, address]);
});

it("takes no other text for an address", () => {
  for (const text of [
    "git@github.com:shop/app.git",
    "left-pad@1.3.0",
    "@scope/name",
    "a @ b.com",
    "user@localhost",
    "icon@2x.png",
    "getty@tty1.service",
    "ssh://deploy@git.example.com/a",
  ]) {
    expect(emailsIn(text), text).toEqual([]);
  }
});

it.each([
  "+49 170 1234567",
  "+82-10-1234-5678",
  "+1 (555) 123-4567",
  "+4930123456",
  "(555) 123-4567",
  "555-123-4567",
  "555.123.4567",
  "010-1234-5678",
  "02 123 4567",
  "0170 1234567",
  "030/1234567",
  "06 12 34 56 78",
  "13812345678",
  "01012345678",
  "1-800-555-0199",
  "1.800.555.0199",
  "1 (415) 555-2671",
  "(030) 901820",
  "(030) 90 18 20",
  "(0221) 4710123",
  "+49 (0)30 901820",
  "+48 123 456 789",
  "0049 30 901820",
  "0049-89-1234567",
  "0043 1 5137788",
  "0033 1 42 68 53 00",
  "001 415 555 2671",
  "031) 123-4567",
  "０１０－１２３４－５６７８",
  "１３８１２３４５６７８",
])("finds a number of a telephone, and no more than it: %s", (number) => {
  expect(phonesIn(`Call ${number}, or ${number}.`)).toEqual([number, number]);
});

it.each(["tel:+49-30-901820", "tel:030-901820", "Tel:+1-201-555-0123"])(
  "finds the number of a link: %s",
  (link) => {
    expect(phonesIn(`Call ${link}.`)).toEqual([link.slice("tel:".length)]);
  },
);

it.each([
  "phone:010-1234-5678",
  "Mobile:415-555-0122",
  "fax:+14155550122",
  "Phone:(415) 555-0122",
  '{"phone":13812345678}',
  "전화:010-1234-5678",
  "휴대폰:010-1234-5678",
  "手机:13812345678",
  "手机:138 1234 5678",
  "传真:010-1234-5678",
])("finds the number behind its label: %s", (text) => {
  expect(phonesIn(text)).toEqual([text.slice(text.indexOf(":") + 1).replace("}", "")]);
});

it("takes no date, time, version, address of a machine, id or sum for a number of a telephone", () => {
  for (const text of [
    "2026-11-26 12:30:00",
    "+2026-11-26 a line of a diff",
    "@@ -10,7 +10,9 @@",
    "1.12.345",
    "192.168.100.200:8080",
    "8d0c1b7e-1234-4567-8901-3f0e5b0c7d11",
    "evt_01M8C7263MYD1X14H9F5KPVFG0",
    "1764170000000",
    "1,234,567.89",
    "-rw-r--r-- 1 ann ann 123456 Nov 26 09:00",
    "127.0.0.1 0x0000001f",
    "2026-11-26 17:00:05 12345678 INFO",
    "Nov 26 17:05:02 123456 host",
    "heap 17179869184 bytes",
    "00000000 0102 0304 0506",
    "2026/11/02 1234567",
    "+37.566535 +126.977969",
    "+100 200 300 lines",
    "+12 345 678 rows",
    "+1 234 567 lines",
    "+1000000 -2000000",
    "+10 20 30 40 50",
    "+1234567 bytes",
    "1-100-200-3000",
    "(2024) 123456",
    "(030) 1234 rows",
    "00 01 02 03 04 05",
    "0016 0032 0048 0064",
    "line:0123456789",
  ]) {
    expect(phonesIn(text), text).toEqual([]);
  }
});

it("costs in proportion to the length, also where much begins like one", () => {
  for (const piece of [
    "a@",
    "a.",
    "a@b.",
    "a%40b.",
    "가@",
    "phone:1",
    "+1 ",
    "0-",
    "(555) ",
    "+1",
    "06 12 ",
    "(030) 9",
    "0049 3",
    "1-800-",
    "+1 234 ",
  ]) {
    const visits = (length: number) =>
      visitedCharacters(() => {
        const text = piece.repeat(length / piece.length);
        findEmails(text);
        findPhones(text);
      });
    expect(visits(32_000) / visits(4_000), piece).toBeLessThan(2.1 ** 3);
  }
});
