/** Words of everyday requests. They affect the ranking, but a document that contains "please run the tests" isn't necessarily on the same subject. */
import { termOf } from "./english.ts";

const ENGLISH = `
  add added adjust again allow already another ask away back bad become begin bit bring bug bump call change check clean come commit
  correct create delete different do done edit else ensure ever every everything explain fail feature file fine first
  fix get give go good great happen hello help hi implement improve instead issue job keep last later less let like line
  little lack look lot make many maybe missing module more most move much need never new next nice no not nothing number often ok okay old
  on once one open part please possible problem project push put question quick read really refactor remove rename
  replace result review right run same say second see set show simple simply since small sometimes somebody someone
  something sort start still stop sure take task test thank thanks thing think three time today tomorrow try turn twice
  two update use user usually want way well without word work write wrong yes yesterday yet`;

/** The first syllables of Korean words, because their endings vary. */
const KOREAN = `
  가능 감사 같은 같이 결과 경우 계속 고마 고쳐 고치 관련 그것 그냥 그런 그리 기능 나요 나중 너무 다른 다시 다음 대해 도와 돼요 되나 되는 되어 됩니
  드려 때문 만드 만들 만약 많이 먼저 모두 모든 무엇 문제 바꾸 바꿔 바로 방법 번에 변경 보여 부분 부탁 사용 삭제 새로 설명 수정 실행 아직 안녕 알려
  어디 어떤 어떻 언제 없는 없습 없어 여기 여전 오늘 왜요 우리 위해 이거 이것 이런 이번 이전 이제 이후 있는 있습 있어 작성 작업 전체 정리 조금 좋아
  주세 지금 진행 처음 추가 커밋 코드 테스 파일 필요 하게 하고 하나 하는 하면 하지 한번 함께 합니 해결 해서 해야 해요 해주 해줘 확인`;

/** Pairs of characters. */
const CHINESE = `
  一下 一些 一个 一样 一起 一段 不同 不对 不是 不能 不要 为了 为什 之前 之后 什么 今天 代码 以前 以后 任务 但是 你好 修复 修改 全部 再次 写一 出现
  创建 删除 功能 可以 可能 问题 因为 增加 多少 如何 如果 完成 实现 已经 帮我 帮忙 并且 应该 开始 怎么 怎样 我们 我想 所以 所有 提交 文件 新的 时候
  明天 是否 更新 更改 有没 最后 没有 测试 添加 然后 现在 用户 看看 确认 继续 自己 解释 请把 请帮 谢谢 这个 这样 这些 还是 运行 进行 那个 都是 里面
  重新 需要 项目 麻烦 使用 给我 检查 优化 这里 哪里 哪个 方法 相关 直接 部分 帮助 刚才`;

const EVERYDAY = new Set([...words(ENGLISH).map(termOf), ...words(KOREAN), ...words(CHINESE)]);

/** Whether a search term is common in everyday requests. */
export function isEveryday(term: string): boolean {
  return EVERYDAY.has(term);
}

function words(list: string): string[] {
  return list.trim().split(/\s+/);
}
