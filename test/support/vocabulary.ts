/**
 * The words that the generated memory is made of. A phrase that an asker would put differently is written
 * `as recorded => as asked`.
 */

export type Language = "en" | "ko" | "zh";

/** Subjects of each topic, by language. */
export const TOPICS: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  authentication: {
    en: "session token|refresh token|login redirect|password reset",
    ko: "세션 토큰|리프레시 토큰|로그인 리다이렉트|비밀번호 재설정",
    zh: "会话令牌|刷新令牌|登录跳转|密码重置",
  },
  database: {
    en: "connection pool|composite index|read replica|row lock",
    ko: "커넥션 풀|복합 인덱스|읽기 복제본|행 잠금",
    zh: "连接池|联合索引|只读副本|行锁",
  },
  caching: {
    en: "cache key|cache invalidation|stale response|eviction policy",
    ko: "캐시 키|캐시 무효화|오래된 응답|축출 정책",
    zh: "缓存键|缓存失效|过期响应|淘汰策略",
  },
  testing: {
    en: "flaky test|fixture data|snapshot file|mock server",
    ko: "불안정한 테스트|픽스처 데이터|스냅샷 파일|모의 서버",
    zh: "不稳定的测试|测试夹具|快照文件|模拟服务器",
  },
  ci: {
    en: "build cache|pipeline step|artifact upload|runner image",
    ko: "빌드 캐시|파이프라인 단계|아티팩트 업로드|러너 이미지",
    zh: "构建缓存|流水线步骤|产物上传|运行器镜像",
  },
  "error-handling": {
    en: "retry policy|error code|fallback value|circuit breaker",
    ko: "재시도 정책|오류 코드|대체 값|회로 차단기",
    zh: "重试策略|错误码|兜底值|熔断器",
  },
  frontend: {
    en: "form validation|modal dialog|loading skeleton|empty state",
    ko: "폼 검증|모달 창|로딩 골격|빈 화면",
    zh: "表单校验|模态对话框|加载骨架屏|空白状态",
  },
  accessibility: {
    en: "focus order|screen reader label|contrast ratio|keyboard shortcut",
    ko: "초점 순서|화면 낭독기 이름표|명암비|단축키",
    zh: "焦点顺序|读屏标签|对比度|键盘快捷键",
  },
  search: {
    en: "search ranking|synonym list|index refresh|highlight snippet",
    ko: "검색 순위|동의어 목록|색인 갱신|강조 조각",
    zh: "搜索排序|同义词表|索引刷新|高亮片段",
  },
  notifications: {
    en: "push payload|email template|quiet hours|unsubscribe link",
    ko: "푸시 내용|이메일 서식|방해 금지 시간|수신 거부 링크",
    zh: "推送内容|邮件模板|免打扰时段|退订链接",
  },
  security: {
    en: "secret rotation|content policy|audit trail|input escaping",
    ko: "비밀 값 교체|콘텐츠 정책|감사 기록|입력 이스케이프",
    zh: "密钥轮换|内容策略|审计记录|输入转义",
  },
  configuration: {
    en: "environment variable|config precedence|default timeout|local override",
    ko: "환경 변수|설정 우선순위|기본 제한 시간|로컬 덮어쓰기",
    zh: "环境变量|配置优先级|默认超时|本地覆盖",
  },
  docs: {
    en: "changelog entry|code example|onboarding guide|diagram source",
    ko: "변경 기록 항목|코드 예제|입문 안내서|도표 원본",
    zh: "更新日志条目|代码示例|入门指南|图表源文件",
  },
  analytics: {
    en: "event name|funnel report|sampling rate|consent banner",
    ko: "이벤트 이름|퍼널 보고서|표본 비율|동의 배너",
    zh: "事件名称|漏斗报表|采样率|授权横幅",
  },
  infrastructure: {
    en: "health probe|autoscaling rule|storage class|certificate renewal",
    ko: "상태 점검|자동 확장 규칙|저장소 등급|인증서 갱신",
    zh: "健康探针|自动扩容规则|存储类型|证书续期",
  },
};

/** What a language puts into its sentences; every list is one phrase a `|`. */
export interface Phrases {
  readonly areas: string;
  readonly conditions: string;
  readonly causes: string;
  readonly effects: string;
  readonly remedies: string;
  readonly people: string;
  /** Whole fields, with the names of the lists (in the singular), and subject, value, file, identifier, as slots. */
  readonly missing: string;
  readonly lesson: string;
  readonly ask: string;
  readonly question: string;
}

export const PHRASES: Readonly<Record<Language, Phrases>> = {
  en: {
    areas:
      "billing worker|nightly import|public website|checkout page|support inbox|onboarding wizard|profile editor|desktop agent|inventory service|calendar sync|survey builder|shipping planner",
    conditions:
      "when the upstream answers 429 => upstream throttles us|if two people save at once => concurrent saves|while a migration is still running => migration in progress|if the network drops halfway => connection lost halfway|during daylight saving changes => clocks change for daylight saving|for guests without an account => anonymous guests|when more than one region is active => multi-region setup|when a customer downgrades the plan => plan downgrade|if the payload exceeds the limit => oversized payload|with Safari in private mode => Safari private browsing",
    causes:
      "the contract with the vendor forbids it|compliance asked for it last spring|a customer script depends on it|the library silently swallows the exception|the finance export expects that shape|support needs to trace the request|the design system already has a component for it|the clock of the scanner drifts",
    effects:
      "orders were charged twice|the build broke for everyone|half of the rows were lost|alerts fired all night|an old price was shown|uploads hung at 99 percent|the rollback took a whole day|duplicate emails went out",
    remedies:
      "store the amount in cents and convert at the edge|send the same key with every retry|put the check behind a flag that operations can flip|read the limit from the settings instead of a constant|normalise the text before comparing|prefer the shared helper over a new one|split the change into two deployments|ask the owner before touching the schema",
    people: "the platform team|the data steward|the security reviewer|the accounting department",
    missing:
      "The task did not say that the {subject} of the {area} must hold {condition}; {cause}.|Nobody mentioned what happens to the {subject} {condition}: in the {area} the limit is {value}, because {cause}.|It was unclear whether {identifier} in {file} applies to the {subject} {condition}.|The request to change the {subject} left out the {area}, where {effect} last time.|The prompt assumed {identifier} returns at once; in the {area} it takes up to {value} {condition}.",
    lesson:
      "For the {subject}, {remedy}. Otherwise {effect}, as happened in the {area}.|Set {identifier} to {value} in {file} and {remedy}; {person} decides about exceptions.|Before changing the {subject}, look at {file}: {cause}. Then {remedy}.|{effect} because {cause}. Since then: {remedy}, at most {value}.|The {area} calls {identifier}; {remedy}, and tell {person} when the {subject} changes.",
    ask: "Does the {area} rely on the {subject} {condition}?|Which value should {identifier} have for the {subject}, and who confirms it: {person}?|Is {value} still the limit for the {subject}?|Should {file} change together with the {subject}?",
    question:
      "I have to rework the {subject} in the {area}, think of: {condition}|{area}: {subject} behaves strangely, {condition}|Implement a new option for {identifier}, it touches the {subject} and the {area}|Fix bug report about {subject}: {effect}|Plan for {file}: adjust {subject}, what is known about the {area}?|Write the code for {subject} so that we can {remedy}",
  },
  ko: {
    areas:
      "정산 작업기|야간 가져오기|공개 홈페이지|결제 화면|고객 문의함|가입 안내|프로필 편집기|데스크톱 도우미|재고 서비스|일정 동기화|설문 제작기|배송 계획기",
    conditions:
      "상위 서버가 429로 응답할 때 => 상위 서버 호출 제한|두 사람이 동시에 저장하면 => 동시 저장 충돌|마이그레이션이 도는 동안 => 마이그레이션 진행 중|네트워크가 중간에 끊기면 => 네트워크 끊김|서머타임이 바뀌는 날에 => 서머타임 전환|계정이 없는 손님에게 => 비회원 손님|지역이 둘 이상 켜져 있을 때 => 여러 지역 운영|고객이 요금제를 낮출 때 => 요금제 하향|본문이 한도를 넘으면 => 한도를 넘은 본문|사파리 개인 정보 보호 모드에서 => 사파리 개인 모드",
    causes:
      "공급사 계약이 그것을 금지하기 때문이다|준법 감시팀이 지난봄에 요청했다|고객의 스크립트가 거기에 기대고 있다|라이브러리가 예외를 조용히 삼킨다|재무 내보내기가 그 모양을 기대한다|고객 지원이 요청을 추적해야 한다|디자인 시스템에 이미 부품이 있다|스캐너의 시계가 어긋난다",
    effects:
      "주문이 두 번 결제되었다|모두의 빌드가 깨졌다|행의 절반이 사라졌다|밤새 경보가 울렸다|옛 가격이 표시되었다|업로드가 99퍼센트에서 멈췄다|롤백에 하루가 걸렸다|같은 메일이 여러 번 나갔다",
    remedies:
      "금액은 원 단위 정수로 저장하고 가장자리에서 바꾼다|재시도마다 같은 키를 보낸다|운영팀이 끌 수 있는 플래그 뒤에 둔다|상수 대신 설정에서 한도를 읽는다|비교하기 전에 글자를 정규화한다|새로 만들지 말고 공용 함수를 쓴다|변경을 두 번의 배포로 나눈다|스키마를 건드리기 전에 담당자에게 묻는다",
    people: "플랫폼 팀|데이터 관리자|보안 검토자|회계 부서",
    missing:
      "{area}에서 {subject} 조건이 {condition}에도 지켜져야 한다는 말이 없었다. {cause}.|{condition} {subject} 처리가 어떻게 되는지 아무도 말하지 않았다. {area}에서는 한도가 {value}이다. {cause}.|{file}의 {identifier} 값이 {condition} {subject}에도 적용되는지 알 수 없었다.|{subject} 변경 요청에 {area} 이야기가 빠져 있었다. 지난번에는 {effect}.|{identifier} 호출이 바로 끝난다고 보았지만 {area}에서는 {condition} {value}까지 걸린다.",
    lesson:
      "{subject}에서는 {remedy}. 그러지 않으면 {area}에서처럼 {effect}.|{file}에서 {identifier} 값을 {value}로 두고 {remedy}. 예외는 {person}에서 정한다.|{subject} 수정 전에 {file}부터 본다. {cause}. 그다음 {remedy}.|{effect}. {cause}. 그 뒤로는 {remedy}. 최대 {value}이다.|{area}에서 {identifier} 함수를 부른다. {remedy}. {subject} 변경은 {person}에 알린다.",
    ask: "{condition} {area}에서도 {subject}에 기대는가?|{subject}에서 {identifier} 값은 얼마이고 {person} 확인이 필요한가?|{subject} 한도는 아직 {value}인가?|{subject}와 함께 {file}도 바꿔야 하는가?",
    question:
      "{area}의 {subject} 부분을 다시 만들어야 한다. {condition} 고려|{area}: {subject} 동작이 이상하다, {condition}|{identifier}에 새 옵션을 추가한다. {subject}와 {area}에 영향|{subject} 버그 신고 수정: {effect}|{file} 작업 계획: {subject} 조정, {area}에 대해 알려진 것?|{subject} 코드를 작성한다: {remedy}",
  },
  zh: {
    areas:
      "计费进程|夜间导入|公开网站|结账页面|客服收件箱|新手引导|资料编辑器|桌面助手|库存服务|日程同步|问卷工具|配送规划",
    conditions:
      "上游返回429的时候 => 上游限制调用|两个人同时保存时 => 同时保存冲突|迁移还在执行时 => 迁移执行期间|网络中途断开时 => 网络断开|夏令时切换当天 => 夏令时变化|没有账号的访客 => 匿名访客|启用多个区域时 => 多区域部署|客户降低套餐时 => 套餐降级|请求体超过上限时 => 请求体过大|苹果浏览器无痕模式下 => 无痕浏览",
    causes:
      "供应商合同禁止这样做|合规部门去年春天提出要求|有客户脚本依赖它|那个库会悄悄吞掉异常|财务导出需要那种结构|客服需要追踪请求|设计系统里已经有现成组件|扫描枪的时钟会漂移",
    effects:
      "订单被重复扣款|所有人的构建都坏了|一半的数据丢失|告警响了一整夜|显示了旧价格|上传卡在百分之九十九|回滚花了一整天|重复邮件发了出去",
    remedies:
      "金额用整数分存储并在边界换算|每次重试都带同一个键|把检查放在运维可以关闭的开关后面|从设置读取上限而不是写死常量|比较之前先规范化文本|优先使用公共函数|把改动拆成两次发布|动表结构之前先问负责人",
    people: "平台团队|数据管理员|安全评审|财务部门",
    missing:
      "任务没有说明{area}的{subject}在{condition}也必须成立，因为{cause}。|没有人提到{condition}{subject}会怎样：在{area}里上限是{value}，因为{cause}。|不清楚{file}里的{identifier}是否也适用于{condition}的{subject}。|修改{subject}的需求漏掉了{area}，上次就因此{effect}。|以为{identifier}会立刻返回，其实在{area}里{condition}最长要{value}。",
    lesson:
      "处理{subject}时要{remedy}，否则会像{area}那样{effect}。|在{file}里把{identifier}设为{value}，并且{remedy}；例外由{person}决定。|修改{subject}之前先看{file}：{cause}。然后{remedy}。|{effect}，因为{cause}。此后一律{remedy}，最多{value}。|{area}会调用{identifier}；{remedy}，{subject}有变化时通知{person}。",
    ask: "{condition}，{area}是否依赖{subject}？|{subject}的{identifier}应该是多少，由{person}确认吗？|{subject}的上限还是{value}吗？|修改{subject}时{file}要不要一起改？",
    question:
      "需要重做{area}里的{subject}，要考虑{condition}|{area}：{subject}表现异常，{condition}|给{identifier}加一个新选项，会影响{subject}和{area}|修复关于{subject}的缺陷：{effect}|计划修改{file}：调整{subject}，关于{area}有什么已知情况？|编写{subject}的代码，做到{remedy}",
  },
};

export const FOLDERS =
  "src/billing|src/api|packages/web|packages/core|services/orders|apps/mobile|lib/shared|infra|jobs|config";
export const FILES =
  "client.ts|handler.py|settings.yaml|schema.sql|worker.go|routes.ts|limits.json|service.rs|index.tsx|hooks.rb";
export const VERBS = "get|set|load|sync|parse|render|retry|flush|resolve|merge|verify|schedule";
export const NOUNS =
  "user_profile|order_total|session_store|price_table|audit_entry|import_batch|page_cursor|token_cache|tax_rate|mail_queue|stock_level|region_map|query_plan|locale_file|upload_part|event_stream";
export const UNITS = "ms|s|KB|MB|minutes|%";
