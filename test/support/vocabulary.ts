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
  authorization: {
    en: "role check|permission matrix|admin override|tenant isolation",
    ko: "역할 검사|권한 표|관리자 예외|테넌트 격리",
    zh: "角色检查|权限矩阵|管理员例外|租户隔离",
  },
  database: {
    en: "connection pool|composite index|read replica|row lock",
    ko: "커넥션 풀|복합 인덱스|읽기 복제본|행 잠금",
    zh: "连接池|联合索引|只读副本|行锁",
  },
  migrations: {
    en: "schema migration|backfill job|column rename|default constraint",
    ko: "스키마 마이그레이션|백필 작업|컬럼 이름 변경|기본값 제약",
    zh: "表结构迁移|数据回填|字段改名|默认值约束",
  },
  caching: {
    en: "cache key|cache invalidation|stale response|eviction policy",
    ko: "캐시 키|캐시 무효화|오래된 응답|축출 정책",
    zh: "缓存键|缓存失效|过期响应|淘汰策略",
  },
  payments: {
    en: "refund flow|invoice rounding|idempotency key|chargeback webhook",
    ko: "환불 흐름|청구서 반올림|멱등 키|지불 거절 웹훅",
    zh: "退款流程|发票取整|幂等键|拒付回调",
  },
  testing: {
    en: "flaky test|fixture data|snapshot file|mock server",
    ko: "불안정한 테스트|픽스처 데이터|스냅샷 파일|모의 서버",
    zh: "不稳定的测试|测试夹具|快照文件|模拟服务器",
  },
  deployment: {
    en: "rolling deploy|rollback plan|feature flag|canary release",
    ko: "롤링 배포|롤백 계획|기능 플래그|카나리 릴리스",
    zh: "滚动发布|回滚方案|功能开关|金丝雀发布",
  },
  ci: {
    en: "build cache|pipeline step|artifact upload|runner image",
    ko: "빌드 캐시|파이프라인 단계|아티팩트 업로드|러너 이미지",
    zh: "构建缓存|流水线步骤|产物上传|运行器镜像",
  },
  logging: {
    en: "log level|trace identifier|redacted field|structured output",
    ko: "로그 수준|추적 식별자|가려진 필드|구조화 출력",
    zh: "日志级别|链路标识|脱敏字段|结构化输出",
  },
  "error-handling": {
    en: "retry policy|error code|fallback value|circuit breaker",
    ko: "재시도 정책|오류 코드|대체 값|회로 차단기",
    zh: "重试策略|错误码|兜底值|熔断器",
  },
  api: {
    en: "pagination cursor|response envelope|rate limit|version header",
    ko: "페이지 커서|응답 봉투|호출 제한|버전 헤더",
    zh: "分页游标|响应外壳|限流规则|版本请求头",
  },
  frontend: {
    en: "form validation|modal dialog|loading skeleton|empty state",
    ko: "폼 검증|모달 창|로딩 골격|빈 화면",
    zh: "表单校验|模态对话框|加载骨架屏|空白状态",
  },
  styling: {
    en: "dark theme|spacing scale|breakpoint|font fallback",
    ko: "어두운 테마|간격 척도|반응형 분기점|글꼴 대체",
    zh: "深色主题|间距尺度|断点布局|字体回退",
  },
  accessibility: {
    en: "focus order|screen reader label|contrast ratio|keyboard shortcut",
    ko: "초점 순서|화면 낭독기 이름표|명암비|단축키",
    zh: "焦点顺序|读屏标签|对比度|键盘快捷键",
  },
  i18n: {
    en: "plural form|date format|translation key|right-to-left layout",
    ko: "복수형|날짜 형식|번역 키|오른쪽 쓰기 배치",
    zh: "复数形式|日期格式|翻译键|从右到左排版",
  },
  search: {
    en: "search ranking|synonym list|index refresh|highlight snippet",
    ko: "검색 순위|동의어 목록|색인 갱신|강조 조각",
    zh: "搜索排序|同义词表|索引刷新|高亮片段",
  },
  queues: {
    en: "dead letter queue|message order|consumer lag|delayed job",
    ko: "실패 메시지 큐|메시지 순서|소비 지연|예약 작업",
    zh: "死信队列|消息顺序|消费积压|延迟任务",
  },
  notifications: {
    en: "push payload|email template|quiet hours|unsubscribe link",
    ko: "푸시 내용|이메일 서식|방해 금지 시간|수신 거부 링크",
    zh: "推送内容|邮件模板|免打扰时段|退订链接",
  },
  files: {
    en: "upload limit|thumbnail size|file encoding|signed download",
    ko: "업로드 한도|썸네일 크기|파일 인코딩|서명된 다운로드",
    zh: "上传上限|缩略图尺寸|文件编码|签名下载",
  },
  security: {
    en: "secret rotation|content policy|audit trail|input escaping",
    ko: "비밀 값 교체|콘텐츠 정책|감사 기록|입력 이스케이프",
    zh: "密钥轮换|内容策略|审计记录|输入转义",
  },
  performance: {
    en: "slow query|bundle size|memory leak|cold start",
    ko: "느린 쿼리|번들 크기|메모리 누수|콜드 스타트",
    zh: "慢查询|包体积|内存泄漏|冷启动",
  },
  configuration: {
    en: "environment variable|config precedence|default timeout|local override",
    ko: "환경 변수|설정 우선순위|기본 제한 시간|로컬 덮어쓰기",
    zh: "环境变量|配置优先级|默认超时|本地覆盖",
  },
  dependencies: {
    en: "lock file|peer dependency|licence check|major upgrade",
    ko: "잠금 파일|피어 의존성|라이선스 확인|주 버전 올리기",
    zh: "锁文件|对等依赖|许可证检查|大版本升级",
  },
  docs: {
    en: "changelog entry|code example|onboarding guide|diagram source",
    ko: "변경 기록 항목|코드 예제|입문 안내서|도표 원본",
    zh: "更新日志条目|代码示例|入门指南|图表源文件",
  },
  data: {
    en: "time zone|currency amount|null handling|duplicate row",
    ko: "시간대|통화 금액|널 처리|중복 행",
    zh: "时区换算|货币金额|空值处理|重复数据",
  },
  analytics: {
    en: "event name|funnel report|sampling rate|consent banner",
    ko: "이벤트 이름|퍼널 보고서|표본 비율|동의 배너",
    zh: "事件名称|漏斗报表|采样率|授权横幅",
  },
  mobile: {
    en: "offline sync|deep link|background refresh|app permission",
    ko: "오프라인 동기화|딥 링크|백그라운드 새로 고침|앱 권한",
    zh: "离线同步|深度链接|后台刷新|应用权限",
  },
  infrastructure: {
    en: "health probe|autoscaling rule|storage class|certificate renewal",
    ko: "상태 점검|자동 확장 규칙|저장소 등급|인증서 갱신",
    zh: "健康探针|自动扩容规则|存储类型|证书续期",
  },
  "code-style": {
    en: "naming convention|import order|public interface|dead code",
    ko: "이름 규칙|임포트 순서|공개 인터페이스|죽은 코드",
    zh: "命名约定|导入顺序|公开接口|无用代码",
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
      "billing worker|mobile client|nightly import|admin console|public website|partner gateway|checkout page|reporting service|support inbox|warehouse scanner|onboarding wizard|order history|profile editor|staging cluster|desktop agent|marketing site|inventory service|chat widget|calendar sync|document viewer|survey builder|media player|shipping planner|loyalty program",
    conditions:
      "when the upstream answers 429 => upstream throttles us|after the user changes their email => email change|if two people save at once => concurrent saves|on the first run of a fresh clone => fresh checkout|while a migration is still running => migration in progress|when the disk is nearly full => low disk space|if the network drops halfway => connection lost halfway|for accounts created before the merger => accounts from before the merger|during daylight saving changes => clocks change for daylight saving|when the list is empty => empty list|for guests without an account => anonymous guests|on Windows paths => Windows path handling|when more than one region is active => multi-region setup|if the job restarts => restarted job|when a customer downgrades the plan => plan downgrade|for records imported from the old system => legacy imported records|if the payload exceeds the limit => oversized payload|when the browser blocks third-party cookies => third-party cookies blocked|with Safari in private mode => Safari private browsing|at the end of the fiscal quarter => quarter closing",
    causes:
      "the contract with the vendor forbids it|the old service still reads that column|compliance asked for it last spring|the load balancer closes idle connections|a customer script depends on it|the staging data is anonymised|the library silently swallows the exception|the team agreed on it in the architecture review|the finance export expects that shape|the index covers only the first two columns|support needs to trace the request|the vendor bills every call|the design system already has a component for it|the legal text must be shown verbatim|the clock of the scanner drifts|the scheduler may run it twice",
    effects:
      "orders were charged twice|the page stayed blank|the build broke for everyone|customers got the wrong language|half of the rows were lost|the queue grew for hours|alerts fired all night|the review had to start over|an old price was shown|the report left out a region|uploads hung at 99 percent|users were logged out at random|the rollback took a whole day|the totals did not add up|duplicate emails went out|the search found nothing",
    remedies:
      "store the amount in cents and convert at the edge|check the replica lag before reading|send the same key with every retry|keep the old column until the next release|put the check behind a flag that operations can flip|write the failing case as a test first|read the limit from the settings instead of a constant|lock the row for the shortest time possible|normalise the text before comparing|log the identifier, never the content|prefer the shared helper over a new one|validate at the boundary and trust it inside|split the change into two deployments|warm the cache before switching traffic|ask the owner before touching the schema|count bytes, not characters",
    people:
      "the platform team|the on-call engineer|the data steward|the product owner|the security reviewer|the release manager|the accounting department|the customer success team",
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
      "정산 작업기|모바일 앱|야간 가져오기|관리자 콘솔|공개 홈페이지|제휴사 관문|결제 화면|보고서 서비스|고객 문의함|창고 스캐너|가입 안내|주문 내역|프로필 편집기|스테이징 서버|데스크톱 도우미|홍보 사이트|재고 서비스|채팅 위젯|일정 동기화|문서 뷰어|설문 제작기|미디어 재생기|배송 계획기|적립 프로그램",
    conditions:
      "상위 서버가 429로 응답할 때 => 상위 서버 호출 제한|사용자가 이메일을 바꾼 뒤에 => 이메일 변경|두 사람이 동시에 저장하면 => 동시 저장 충돌|새로 복제한 저장소의 첫 실행에서 => 처음 복제한 저장소|마이그레이션이 도는 동안 => 마이그레이션 진행 중|디스크가 거의 찼을 때 => 디스크 부족|네트워크가 중간에 끊기면 => 네트워크 끊김|합병 이전에 만든 계정에서 => 합병 이전 계정|서머타임이 바뀌는 날에 => 서머타임 전환|목록이 비어 있을 때 => 빈 목록|계정이 없는 손님에게 => 비회원 손님|윈도우 경로에서 => 윈도우 경로 문제|지역이 둘 이상 켜져 있을 때 => 여러 지역 운영|작업이 다시 시작되면 => 재시작된 작업|고객이 요금제를 낮출 때 => 요금제 하향|예전 시스템에서 옮긴 기록에서 => 예전 시스템 기록|본문이 한도를 넘으면 => 한도를 넘은 본문|브라우저가 외부 쿠키를 막을 때 => 외부 쿠키 차단|사파리 개인 정보 보호 모드에서 => 사파리 개인 모드|분기 마감에 => 분기 말 마감",
    causes:
      "공급사 계약이 그것을 금지하기 때문이다|예전 서비스가 아직 그 컬럼을 읽는다|준법 감시팀이 지난봄에 요청했다|로드 밸런서가 쉬는 연결을 닫는다|고객의 스크립트가 거기에 기대고 있다|스테이징 데이터는 익명 처리되어 있다|라이브러리가 예외를 조용히 삼킨다|설계 회의에서 그렇게 합의했다|재무 내보내기가 그 모양을 기대한다|인덱스가 앞의 두 컬럼만 덮는다|고객 지원이 요청을 추적해야 한다|공급사가 호출마다 요금을 매긴다|디자인 시스템에 이미 부품이 있다|법률 문구는 그대로 보여야 한다|스캐너의 시계가 어긋난다|스케줄러가 두 번 실행할 수 있다",
    effects:
      "주문이 두 번 결제되었다|화면이 하얗게 남았다|모두의 빌드가 깨졌다|고객이 엉뚱한 언어를 받았다|행의 절반이 사라졌다|큐가 몇 시간 동안 늘어났다|밤새 경보가 울렸다|검토를 처음부터 다시 했다|옛 가격이 표시되었다|보고서에서 한 지역이 빠졌다|업로드가 99퍼센트에서 멈췄다|사용자가 아무 때나 로그아웃되었다|롤백에 하루가 걸렸다|합계가 맞지 않았다|같은 메일이 여러 번 나갔다|검색 결과가 하나도 없었다",
    remedies:
      "금액은 원 단위 정수로 저장하고 가장자리에서 바꾼다|읽기 전에 복제 지연을 확인한다|재시도마다 같은 키를 보낸다|다음 릴리스까지 옛 컬럼을 남겨 둔다|운영팀이 끌 수 있는 플래그 뒤에 둔다|실패하는 경우를 먼저 테스트로 쓴다|상수 대신 설정에서 한도를 읽는다|행은 되도록 짧게 잠근다|비교하기 전에 글자를 정규화한다|내용이 아니라 식별자만 기록한다|새로 만들지 말고 공용 함수를 쓴다|경계에서 검증하고 안에서는 믿는다|변경을 두 번의 배포로 나눈다|트래픽을 옮기기 전에 캐시를 데운다|스키마를 건드리기 전에 담당자에게 묻는다|글자 수가 아니라 바이트를 센다",
    people:
      "플랫폼 팀|당직 엔지니어|데이터 관리자|제품 책임자|보안 검토자|릴리스 관리자|회계 부서|고객 성공 팀",
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
      "计费进程|移动客户端|夜间导入|管理后台|公开网站|合作方网关|结账页面|报表服务|客服收件箱|仓库扫描枪|新手引导|订单历史|资料编辑器|预发集群|桌面助手|营销站点|库存服务|聊天组件|日程同步|文档阅读器|问卷工具|媒体播放器|配送规划|会员积分",
    conditions:
      "上游返回429的时候 => 上游限制调用|用户修改邮箱之后 => 邮箱变更|两个人同时保存时 => 同时保存冲突|新克隆仓库第一次运行时 => 第一次克隆|迁移还在执行时 => 迁移执行期间|磁盘快满的时候 => 磁盘空间不足|网络中途断开时 => 网络断开|合并之前创建的账号 => 合并前的老账号|夏令时切换当天 => 夏令时变化|列表为空时 => 空列表|没有账号的访客 => 匿名访客|遇到视窗系统路径时 => 视窗路径问题|启用多个区域时 => 多区域部署|任务重启之后 => 任务被重启|客户降低套餐时 => 套餐降级|从旧系统导入的记录 => 旧系统的记录|请求体超过上限时 => 请求体过大|浏览器拦截第三方饼干时 => 第三方饼干被拦截|苹果浏览器无痕模式下 => 无痕浏览|季度结账时 => 季度末结账",
    causes:
      "供应商合同禁止这样做|旧服务仍然读取那个字段|合规部门去年春天提出要求|负载均衡会关闭空闲连接|有客户脚本依赖它|预发数据已经匿名化|那个库会悄悄吞掉异常|架构评审会上已经约定|财务导出需要那种结构|索引只覆盖前两个字段|客服需要追踪请求|供应商按调用次数收费|设计系统里已经有现成组件|法律文本必须原样展示|扫描枪的时钟会漂移|调度器可能执行两次",
    effects:
      "订单被重复扣款|页面一直空白|所有人的构建都坏了|客户收到了错误的语言|一半的数据丢失|队列堆积了几个小时|告警响了一整夜|评审只能重新开始|显示了旧价格|报表漏掉一个地区|上传卡在百分之九十九|用户随机被登出|回滚花了一整天|合计对不上|重复邮件发了出去|搜索没有任何结果",
    remedies:
      "金额用整数分存储并在边界换算|读取之前先检查副本延迟|每次重试都带同一个键|旧字段保留到下个版本|把检查放在运维可以关闭的开关后面|先把失败的情况写成测试|从设置读取上限而不是写死常量|尽量缩短锁住一行的时间|比较之前先规范化文本|只记录标识符不记录内容|优先使用公共函数|在边界校验内部就信任|把改动拆成两次发布|切流量之前先预热缓存|动表结构之前先问负责人|按字节计算而不是按字符",
    people: "平台团队|值班工程师|数据管理员|产品负责人|安全评审|发布经理|财务部门|客户成功团队",
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
