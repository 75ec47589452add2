import { expect, it } from "vitest";
import { logOf, saidAgo } from "../../../test/support/bundle-record.ts";
import { bundleText } from "./bundle-text.ts";

/** Nothing of it is open afterwards. */
const BY_AGENT = { actor: { type: "agent", id: "a" } } as const;

it("says that what is recorded has no room, and not that nothing is recorded", async () => {
  const said = (number: number) =>
    `第${number}次排查:配送服务在高峰期会反复重试失败的运单。缓存里的运单状态比数据库晚十分钟。清关接口偶尔返回空的编号。我们决定先记录再重试。`;
  const log = await logOf(
    Array.from({ length: 60 }, (_, at) => saidAgo(at + 1, said(at), BY_AGENT)),
  );
  const bundle = await log.bundle({
    query: "配送服务 重试 运单 缓存 清关",
    session: "s2",
    maxTokens: 100,
  });
  expect(bundle.sections).toEqual([]);
  expect(bundleText(bundle)).toMatch(
    /What is recorded has no room here\.\nLeft out: \d+ without room/,
  );
  const other = await log.bundle({ query: "zeppelin", session: "s2" });
  expect(bundleText(other)).toContain("Nothing is recorded that helps with this.");
});
