import { describe, expect, it } from "vitest";
import { type IndexedChunk, postingsOf } from "../../../test/support/postings-in-memory.ts";
import { seeded } from "../../../test/support/random.ts";
import { type Postings, rankChunks } from "./chunk-ranking.ts";

/** A chunk of its own session, unless one is named. */
function chunk(number: number, text: string, session = `s${number}`): IndexedChunk {
  return { id: idOf(number), text, session };
}

/** Newer by its number. */
function idOf(number: number): string {
  return `chk_01KA${String(number).padStart(6, "0")}0000000000000000_01`;
}

function found(query: string, chunks: readonly IndexedChunk[], limit = 10): string[] {
  const texts = new Map(chunks.map(({ id, text }) => [id, text]));
  return rankChunks(query, postingsOf(chunks), limit).map(({ id }) => texts.get(id) as string);
}

describe("ranking chunks", () => {
  it("finds what holds any of the words, and first what holds rarer ones", () => {
    const chunks = [
      "the cache is warm",
      "the cache is cold",
      "the cache of the parser",
      "something else",
    ].map((text, i) => chunk(i, text));
    expect(found("cache parser", chunks)[0]).toBe("the cache of the parser");
    expect(found("cache parser", chunks)).toHaveLength(3);
    expect(found("of the", chunks)).toEqual([]);
    expect(found("unheard", chunks)).toEqual([]);
  });

  it("puts what holds two words before what holds one often", () => {
    const chunks = [
      chunk(0, "socket socket socket socket"),
      chunk(1, "the socket gets a timeout"),
      chunk(2, "no timeout"),
    ];
    expect(found("socket timeout", chunks)[0]).toBe("the socket gets a timeout");
  });

  it("is not led away by a log that the query pastes, however often its lines repeat", () => {
    const chunks = ["invoices round half up", "loader restarted"].map((text, i) => chunk(i, text));
    const pasted = "loader stopped\n".repeat(200);
    expect(found(`why do invoices round half up?\n${pasted}`, chunks)[0]).toBe(
      "invoices round half up",
    );
  });

  it("finds an answer that stands beside the words that were asked for", () => {
    const chunks = [
      chunk(0, "Where do the invoices go?", "a"),
      chunk(1, "Into the blue folder.", "a"),
      chunk(2, "Thanks, goodbye", "a"),
      chunk(3, "Lunch?", "a"),
      chunk(4, "Into the red folder.", "b"),
    ];
    expect(found("invoices", chunks)).toEqual([
      "Where do the invoices go?",
      "Into the blue folder.",
      "Thanks, goodbye",
    ]);
  });

  it("is not led by a long text whose parts repeat the words beside each other", () => {
    const part = (number: number, text: string) => ({
      ...chunk(7, text, "a"),
      id: idOf(7).replace(/01$/, `0${number}`),
    });
    const chunks = [
      part(1, "socket of the log, with its date"),
      part(2, "socket of the log, and its time"),
      part(3, "socket of the log, then its name"),
      chunk(1, "the socket", "b"),
      chunk(2, "closed after a minute", "b"),
    ];
    expect(found("socket", chunks)[0]).toBe("the socket");
  });

  it("gives equal ones newer first, and scores from 0 to 1", () => {
    const chunks = [3, 1, 2].map((number) => chunk(number, "one and the same port"));
    const ranked = rankChunks("port", postingsOf(chunks), 2);
    expect(ranked.map(({ id }) => id)).toEqual([idOf(3), idOf(2)]);
    for (const { score } of ranked) {
      expect(score > 0 && score <= 1).toBe(true);
    }
  });

  it("does not depend on the numbers of chunks", () => {
    const random = seeded("numbers");
    const words = ["port", "cache", "parser", "socket", "timeout", "retry", "queue"];
    const text = () =>
      Array.from({ length: 6 }, () => words[Math.floor(random() ** 2 * words.length)]).join(" ");
    const chunks = Array.from({ length: 3000 }, (_, number) =>
      chunk(number, text(), `s${number % 40}`),
    );
    const postings = postingsOf(chunks);
    const turned = chunks.length - 1;
    const mirrored: Postings = {
      count: postings.count,
      end: postings.end,
      averageLength: postings.averageLength,
      holderCount: (term) => postings.holderCount(term),
      holders: (term) => {
        const { chunks, frequencies } = postings.holders(term);
        return { chunks: Array.from(chunks, (chunk) => turned - chunk), frequencies };
      },
      lengthOf: (chunk) => postings.lengthOf(turned - chunk),
      idOf: (chunk) => postings.idOf(turned - chunk),
      before: (chunk) => mirror(postings.before(turned - chunk)),
      after: (chunk) => mirror(postings.after(turned - chunk)),
      continues: (chunk) => postings.continues(turned - chunk),
    };
    const mirror = (chunk: number | undefined) =>
      chunk === undefined ? undefined : turned - chunk;
    const scores = (from: Postings) =>
      rankChunks("retry the queue", from, 50).map(({ id, score }) => [id, score]);
    expect(scores(mirrored)).toEqual(scores(postings));
  });

  it("reads half a million postings at most, those of rare words first", () => {
    const all = Uint32Array.from({ length: 600_000 }, (_, number) => number);
    const ofWidget = all.subarray(7, 8);
    const holders = (term: string) => (term === "widget" ? ofWidget : all);
    const postings: Postings = {
      count: all.length,
      end: all.length,
      averageLength: 2,
      holderCount: (term) => holders(term).length,
      holders: (term) => ({
        chunks: holders(term),
        frequencies: new Uint8Array(all.length).fill(1),
      }),
      lengthOf: () => 2,
      idOf,
      before: () => undefined,
      after: () => undefined,
      continues: () => false,
    };
    expect(rankChunks("gadget widget", postings, 10).map(({ chunk }) => chunk)).toEqual([7]);
  });

  it("finds Korean words with other particles and spaces, and Chinese words across their borders", () => {
    const chunks = [
      chunk(0, "결제 서버는 매일 밤에 백업을 만든다"),
      chunk(1, "로그인 화면의 글꼴을 바꾼다"),
      chunk(2, "支付服务器每天晚上备份数据库"),
      chunk(3, "登录页面的字体需要修改"),
      chunk(4, "데이터베이스 연결이 끊기면 세 번 재시도한다"),
      chunk(5, "连接断开以后重新尝试三次"),
    ];
    expect(found("결제서버의 백업", chunks)[0]).toBe(chunks[0]?.text);
    expect(found("백업은 언제", chunks)[0]).toBe(chunks[0]?.text);
    expect(found("数据库什么时候备份", chunks)[0]).toBe(chunks[2]?.text);
    expect(found("服务器的数据", chunks)[0]).toBe(chunks[2]?.text);
    for (const query of [
      "데이터 베이스 연결은?",
      "연결을 재시도하나요",
      "끊긴 연결에서의 재시도",
    ]) {
      expect(found(query, chunks)[0]).toBe(chunks[4]?.text);
    }
    for (const query of ["断开后会尝试几次", "重试连接"]) {
      expect(found(query, chunks)[0]).toBe(chunks[5]?.text);
    }
  });
});
