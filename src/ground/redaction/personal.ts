/** Email addresses and telephone numbers, for teams that never want them stored (docs/configuration.md). Both searches take linear time. */
import type { OwnPattern } from "./own-words.ts";
import { matchesIn, spanOf } from "./span.ts";

/** Not the address of a repository (`git@`, `ssh://x@`) or a file (`icon@2x.png`). */
const EMAIL =
  /(?<!:\/\/)(?!git@)(?:(?<![\w.%+-])[\w.%+-]+|(?<![가-힣])[가-힣]+|(?<!\p{Script=Han})\p{Script=Han}+)(?:@|%40)(?:[\p{L}\d-]+\.)+(?!(?:png|jpe?g|gif|svg|webp|conf|service|t?gz|zip)\b)(?:[A-Za-z]{2,}|中国|公司|한국)/gu;

const LABEL_OF_NUMBER = String.raw`(?:\b(?:cell|fax|mobile|phone|tel|telephone)|전화|번호|휴대폰|팩스|手机|电话|传真)"?`;
const PHONES = [
  // +82 10-1234-5678, but not a date after the plus of a diff, or a number with thousands. No country code begins with 10 or 11.
  String.raw`\+(?!(?:19|20)\d\d-\d\d-|\d+\.\d+(?![\d.])|\d{1,3}(?: \d{3}){2}(?! ?\d)|1[01])\d(?:[ .()/-]{0,2}\d){7,14}`,
  // 0049 30 901820
  String.raw`00[1-9]\d{0,2}[ ./-](?:\(0\)|[1-9])(?:[ ./-]{0,2}\d){6,11}`,
  // (555) 123-4567, 1 (555) 123-4567 and (030) 901820
  String.raw`(?:1[ .-]?)?\(\d{2,4}\) ?\d{3,4}[ .-]\d{4}|\(0\d{1,4}\)(?: ?\d){5,9}`,
  // 555-123-4567 and 1-800-123-4567
  String.raw`(?:1[.-](?=[2-9]))?\d{3}[.-]\d{3,4}[.-]\d{4}`,
  // 010 1234 5678, 031) 123-4567 and 0170 1234567
  String.raw`0[1-9]\d{0,2}(?:[ .-]|\) ?)\d{3,4}[ .-]\d{4}|0[1-9]\d{0,3}[ /-]\d{6,8}`,
  // 06 12 34 56 78
  String.raw`0[1-9](?:[ .-]\d\d){4}`,
  // 手机 138 1234 5678
  String.raw`(?<=(?:手机|电话).{0,3})1[3-9]\d \d{4} \d{4}`,
  // 13812345678 and 01012345678
  String.raw`1[3-9]\d{9}(?! ?(?:bytes|[KMGT]?i?B\b))|01[016789]\d{7,8}`,
];
const PHONE = new RegExp(
  String.raw`(?<![\w.+/-]|(?<!${LABEL_OF_NUMBER}):|\d )(?:${PHONES.join("|")})(?![\w-])`,
  "gi",
);

/** Keeps the length, so that positions stay the same. */
const halfWidth = (text: string): string =>
  text.replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0));

const finder =
  (pattern: RegExp, kind: string): OwnPattern =>
  (text) =>
    matchesIn(halfWidth(text), pattern).map(({ index, 0: found }) => spanOf(index, found, kind));

export const findEmails = finder(EMAIL, "email");
export const findPhones = finder(PHONE, "phone");
