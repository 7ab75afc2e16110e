package risk

import "github.com/portcullis-gg/portcullis/economy"

// code is an entry of the catalogue.
type code uint8

// group is what a factor is about. Factors of one group are views of one thing.
type group uint8

const (
	groupLedger group = iota
	groupFlow
	groupTakeover
	groupMarket
	groupPayment
	groupAccount
	groupHabit
	groupCompany
	groupChat
	groupTrade // reasons of trades only
	groups
)

// entry is a code and what it counts with.
type entry struct {
	economy.Code
	group group
}

func texts(english, japanese, chinese, korean string) economy.Text {
	return economy.Text{English: english, Japanese: japanese, Chinese: chinese, Korean: korean}
}

// CatalogueVersion is the newest version.
const CatalogueVersion = 1

// The factors of a risk.
const (
	tradeFrequency code = iota
	behaviorPattern
	earnVelocity
	oneWayOutflow
	fanIn
	fanOut
	passThrough
	sinkConcentration
	circularTrading
	priceDeviation
	balanceMismatch
	itemDuplication
	doubleCredit
	amountOverflow
	newDeviceDrain
	deviceSharing
	newAccountCashout
	promoConcentration
	chargeback
	unfairTrades
	riskyCounterparties
	bannedLink
	marketManipulation
	rmtAdvertising
	operatorOverride // is the Service's to give
	// Those that lower a score.
	guildBank
	longStandingPair
	sharedPurse
	eventDay
	// Reasons of trades; some factors are reasons too.
	unusualTradeValue
	newAccountRecipient
	oneSidedTrade
	drainsSenderBalance
	senderNewDevice
	dormantSender
	rapidResale
	recipientIsCollector
	muleChain
	circularTrade
	sharedDevice
	riskySender
	riskyRecipient
	bannedParty
	duplicatedItem
	insufficientHoldings
	velocityExceeded
	pendingChargeback
	firstTradeBetweenParties
	codes
)

// catalogue has every code. A new one goes to the end of its list, with the
// version that it came with.
var catalogue = [codes]entry{
	tradeFrequency: {group: groupHabit, Code: economy.Code{ID: "trade_frequency", Since: 1, Text: texts(
		"Trades far more often than other players",
		"他のプレイヤーより取引が極端に多い", "交易次数远多于其他玩家", "다른 플레이어보다 거래 횟수가 훨씬 많음",
	)}},
	behaviorPattern: {group: groupHabit, Code: economy.Code{ID: "behavior_pattern", Since: 1, Text: texts(
		"Acts as evenly and as long as a machine",
		"機械のように一定の間隔で長時間行動している", "行为节奏均匀且时间过长，像是机器操作", "기계처럼 일정한 간격으로 오랫동안 행동함",
	)}},
	earnVelocity: {group: groupHabit, Code: economy.Code{ID: "earn_velocity", Since: 1, Text: texts(
		"Earns far more in a time than others from the same sources",
		"同じ入手元の他プレイヤーより収入が極端に速い", "相同来源下的收入速度远高于其他玩家", "같은 획득처의 다른 플레이어보다 수입 속도가 훨씬 빠름",
	)}},
	oneWayOutflow: {group: groupFlow, Code: economy.Code{ID: "one_way_outflow", Since: 1, Text: texts(
		"Gives away nearly all it earns, to where others' earnings go too",
		"収入のほとんどを、他の口座の収入も集まる先へ一方的に渡している", "几乎把全部收入单向送往汇集他人收入的账号", "수입의 대부분을 다른 계정의 수입도 모이는 곳으로 일방적으로 넘김",
	)}},
	fanIn: {group: groupFlow, Code: economy.Code{ID: "fan_in", Since: 1, Text: texts(
		"Receives one-way from unusually many players",
		"異常に多くのプレイヤーから一方的に受け取っている", "从异常多的玩家处单向收取", "비정상적으로 많은 플레이어에게서 일방적으로 받음",
	)}},
	fanOut: {group: groupFlow, Code: economy.Code{ID: "fan_out", Since: 1, Text: texts(
		"Delivers what others gave it to many strangers",
		"他者から受け取ったものを多数の見知らぬ相手に渡している", "把从他人处得到的财物分送给许多陌生人", "다른 이에게서 받은 것을 낯선 다수에게 넘김",
	)}},
	passThrough: {group: groupFlow, Code: economy.Code{ID: "pass_through", Since: 1, Text: texts(
		"Hands on what it receives and hardly plays",
		"受け取ったものをそのまま渡し、ほとんどプレイしていない", "收到后即转手，几乎不游玩", "받은 것을 그대로 넘기고 거의 플레이하지 않음",
	)}},
	sinkConcentration: {group: groupFlow, Code: economy.Code{ID: "sink_concentration", Since: 1, Text: texts(
		"The earnings of several accounts end here",
		"複数の口座の収入が最終的にここに集まっている", "多个账号的收入最终汇集于此", "여러 계정의 수입이 결국 이곳에 모임",
	)}},
	circularTrading: {group: groupMarket, Code: economy.Code{ID: "circular_trading", Since: 1, Text: texts(
		"Goods go in a circle, paid for each time",
		"品物が代金を伴って輪のように戻ってくる", "物品循环转手且每次付款", "물품이 매번 대금과 함께 순환함",
	)}},
	priceDeviation: {group: groupMarket, Code: economy.Code{ID: "price_deviation", Since: 1, Text: texts(
		"Prices far from what the items go for",
		"相場から大きく外れた価格", "价格远离物品行情", "시세에서 크게 벗어난 가격",
	)}},
	balanceMismatch: {group: groupLedger, Code: economy.Code{ID: "balance_mismatch", Since: 1, Hard: true, Text: texts(
		"Balances rose more than the entries say, or fell below zero by spending",
		"残高が記録の合計より多く増えた、または支出で残高がマイナスになった", "余额增加超过流水记录，或因支出变为负数", "잔액이 기록보다 많이 늘었거나 지출로 0 아래로 내려감",
	)}},
	itemDuplication: {group: groupLedger, Code: economy.Code{ID: "item_duplication", Since: 1, Hard: true, Text: texts(
		"Items appeared without an origin, or one item twice, or went to two buyers",
		"出所のないアイテムがある、同じ個体が二つ存在する、または二人に売られた", "物品来源不明、同一物品出现两次或卖给了两人", "출처 없는 아이템이 생기거나, 같은 개체가 둘 존재하거나, 두 사람에게 팔림",
	)}},
	doubleCredit: {group: groupLedger, Code: economy.Code{ID: "double_credit", Since: 1, Hard: true, Text: texts(
		"One trade, order or code was credited twice, or one balance spent twice",
		"一つの取引・注文・コードが二重に入金された、または同じ残高が二度使われた", "同一笔交易、订单或兑换码被重复入账，或同一余额被支出两次",
		"하나의 거래, 주문 또는 코드가 두 번 지급되었거나 같은 잔액이 두 번 쓰임",
	)}},
	amountOverflow: {group: groupLedger, Code: economy.Code{ID: "amount_overflow", Since: 1, Text: texts(
		"Amounts that do not fit any real balance",
		"実在しえない桁の金額", "金额超出合理的数值范围", "실제로 있을 수 없는 크기의 금액",
	)}},
	newDeviceDrain: {group: groupTakeover, Code: economy.Code{ID: "new_device_drain", Since: 1, Text: texts(
		"An account was emptied to a stranger, as after a takeover",
		"乗っ取り後のように見知らぬ相手へ資産が一掃された", "账号资产被清空给陌生人，疑似盗号", "계정 탈취처럼 낯선 상대에게 자산이 비워짐",
	)}},
	deviceSharing: {group: groupCompany, Code: economy.Code{ID: "device_sharing", Since: 1, Text: texts(
		"Shares a device with accounts it trades with",
		"取引相手の口座と端末を共有している", "与交易对方账号共用设备", "거래 상대 계정과 기기를 공유함",
	)}},
	newAccountCashout: {group: groupAccount, Code: economy.Code{ID: "new_account_cashout", Since: 1, Text: texts(
		"A new account that hands over what it has and stops",
		"新しい口座が持ち物を渡して活動を止めている", "新账号交出所得后即停止活动", "새 계정이 가진 것을 넘기고 활동을 멈춤",
	)}},
	promoConcentration: {group: groupAccount, Code: economy.Code{ID: "promo_concentration", Since: 1, Text: texts(
		"Gifts of the game go on to a collector",
		"配布物が収集役へ流れている", "游戏赠礼流向收集者", "지급 보상이 수집 계정으로 흘러감",
	)}},
	chargeback: {group: groupPayment, Code: economy.Code{ID: "chargeback", Since: 1, Text: texts(
		"Purchases were charged back",
		"購入の支払いが取り消された", "充值被拒付退款", "구매 결제가 취소됨",
	)}},
	unfairTrades: {group: groupTakeover, Code: economy.Code{ID: "unfair_trades", Since: 1, Text: texts(
		"Several strangers lost a lot in trades with it",
		"複数の見知らぬ相手が取引で大きく損をしている", "多名陌生玩家在与其交易中损失较大", "여러 낯선 상대가 거래에서 큰 손해를 봄",
	)}},
	riskyCounterparties: {group: groupCompany, Code: economy.Code{ID: "risky_counterparties", Since: 1, Text: texts(
		"Much of what it has came from risky accounts",
		"資産の多くがリスクの高い口座から来ている", "大部分财物来自高风险账号", "자산의 상당 부분이 위험 계정에서 옴",
	)}},
	bannedLink: {group: groupCompany, Code: economy.Code{ID: "banned_link", Since: 1, Text: texts(
		"Linked to a banned account",
		"停止中の口座とつながりがある", "与被封禁账号有关联", "정지된 계정과 연결됨",
	)}},
	marketManipulation: {group: groupMarket, Code: economy.Code{ID: "market_manipulation", Since: 1, Text: texts(
		"Moves an item's price with trades among few",
		"少数間の取引で相場を動かしている", "少数账号间交易操纵行情", "소수 간 거래로 시세를 움직임",
	)}},
	rmtAdvertising: {group: groupChat, Code: economy.Code{ID: "rmt_advertising", Since: 1, Text: texts(
		"Advertised selling game goods for real money in chat",
		"チャットでRMTを宣伝した", "在聊天中宣传现金交易", "채팅에서 현금 거래를 광고함",
	)}},
	operatorOverride: {group: groupAccount, Code: economy.Code{ID: economy.OperatorOverride, Since: 1, Text: texts(
		"Set by an operator until a time",
		"運営者が期限付きで設定", "由运营人员限时设定", "운영자가 기한을 정해 설정함",
	)}},
	guildBank: {group: groupFlow, Code: economy.Code{ID: "guild_bank", Since: 1, Lowers: true, Text: texts(
		"Works like a guild's bank: many members give a little and get some back",
		"ギルド倉庫のように多数が少しずつ出し入れしている", "类似公会仓库：多名成员少量存取", "길드 창고처럼 다수가 조금씩 넣고 뺌",
	)}},
	longStandingPair: {group: groupFlow, Code: economy.Code{ID: "long_standing_pair", Since: 1, Lowers: true, Text: texts(
		"Deals with partners it has known for long",
		"長く付き合いのある相手との取引", "与长期往来的对象交易", "오래 알고 지낸 상대와 거래함",
	)}},
	sharedPurse: {group: groupFlow, Code: economy.Code{ID: "shared_purse", Since: 1, Lowers: true, Text: texts(
		"Two accounts that share a purse both ways",
		"二つの口座が互いに財布を共有している", "两个账号双向共用资金", "두 계정이 서로 자금을 공유함",
	)}},
	eventDay: {group: groupHabit, Code: economy.Code{ID: "event_day", Since: 1, Lowers: true, Text: texts(
		"A day on which all players earn or trade far more than usual",
		"全プレイヤーの収入や取引が普段より大幅に多いイベント日", "活动日：全体玩家的收入或交易远高于平时", "모든 플레이어의 수입이나 거래가 평소보다 훨씬 많은 이벤트 날",
	)}},
	unusualTradeValue: {group: groupTrade, Code: economy.Code{ID: "unusual_trade_value", Since: 1, Text: texts(
		"The value is far above what these players trade",
		"双方の普段の取引額を大きく超える", "价值远超双方平时交易", "두 사람의 평소 거래보다 훨씬 큰 금액",
	)}},
	newAccountRecipient: {group: groupTrade, Code: economy.Code{ID: "new_account_recipient", Since: 1, Text: texts(
		"The recipient's account is new",
		"受取側の口座が新しい", "接收方为新账号", "받는 계정이 새로 만들어짐",
	)}},
	oneSidedTrade: {group: groupTrade, Code: economy.Code{ID: "one_sided_trade", Since: 1, Text: texts(
		"One side gives and gets nothing near its worth",
		"一方だけが渡し、見合う対価がない", "一方付出而无相应回报", "한쪽만 주고 합당한 대가가 없음",
	)}},
	drainsSenderBalance: {group: groupTrade, Code: economy.Code{ID: "drains_sender_balance", Since: 1, Text: texts(
		"Takes nearly all the sender has",
		"送り手の資産のほとんどが移る", "几乎转走发送方全部财产", "보내는 쪽 자산의 대부분이 나감",
	)}},
	senderNewDevice: {group: groupTrade, Code: economy.Code{ID: "sender_new_device", Since: 1, Text: texts(
		"The sender acts from a device new to it",
		"送り手が初めての端末から操作している", "发送方使用新设备操作", "보내는 쪽이 새로운 기기에서 행동함",
	)}},
	dormantSender: {group: groupTrade, Code: economy.Code{ID: "dormant_sender", Since: 1, Text: texts(
		"The sender was away for long",
		"送り手が長期間不在だった", "发送方长期未活动", "보내는 쪽이 오랫동안 활동이 없었음",
	)}},
	rapidResale: {group: groupTrade, Code: economy.Code{ID: "rapid_resale", Since: 1, Text: texts(
		"Goods are handed on shortly after they came",
		"受け取ってすぐに転売されている", "到手后短时间内转出", "받은 직후 다시 넘김",
	)}},
	recipientIsCollector: {group: groupTrade, Code: economy.Code{ID: "recipient_is_collector", Since: 1, Text: texts(
		"The recipient gathers what other accounts earn",
		"受取側が他口座の収入を集めている", "接收方汇集其他账号收入", "받는 쪽이 다른 계정의 수입을 모음",
	)}},
	muleChain: {group: groupTrade, Code: economy.Code{ID: "mule_chain", Since: 1, Text: texts(
		"Part of a chain of accounts that hand goods on",
		"運び屋口座の連鎖の一部", "属于转手账号链的一环", "물건을 넘기는 계정 사슬의 일부",
	)}},
	circularTrade: {group: groupTrade, Code: economy.Code{ID: "circular_trade", Since: 1, Text: texts(
		"The goods come back to a former holder",
		"品物が以前の持ち主に戻る", "物品回到原持有者", "물품이 이전 소유자에게 돌아감",
	)}},
	sharedDevice: {group: groupTrade, Code: economy.Code{ID: "shared_device", Since: 1, Text: texts(
		"Both sides use one device",
		"双方が同じ端末を使用している", "双方使用同一设备", "양쪽이 같은 기기를 사용함",
	)}},
	riskySender: {group: groupTrade, Code: economy.Code{ID: "risky_sender", Since: 1, Text: texts(
		"The sender's risk is high",
		"送り手のリスクが高い", "发送方风险较高", "보내는 쪽의 위험도가 높음",
	)}},
	riskyRecipient: {group: groupTrade, Code: economy.Code{ID: "risky_recipient", Since: 1, Text: texts(
		"The recipient's risk is high",
		"受取側のリスクが高い", "接收方风险较高", "받는 쪽의 위험도가 높음",
	)}},
	bannedParty: {group: groupTrade, Code: economy.Code{ID: "banned_party", Since: 1, Hard: true, Text: texts(
		"A side is banned from this",
		"当事者が停止処分を受けている", "一方已被封禁", "한쪽이 정지 상태임",
	)}},
	duplicatedItem: {group: groupTrade, Code: economy.Code{ID: "duplicated_item", Since: 1, Hard: true, Text: texts(
		"The item is a copy of one that others hold",
		"他者が持つ個体の複製である", "物品为他人所持物品的复制品", "다른 이가 가진 개체의 복제품임",
	)}},
	insufficientHoldings: {group: groupTrade, Code: economy.Code{ID: "insufficient_holdings", Since: 1, Hard: true, Text: texts(
		"The sender does not have what it offers",
		"送り手が提示した物を持っていない", "发送方并不持有所提供之物", "보내는 쪽이 제시한 것을 갖고 있지 않음",
	)}},
	velocityExceeded: {group: groupTrade, Code: economy.Code{ID: "velocity_exceeded", Since: 1, Text: texts(
		"Too many or too large trades in a short time",
		"短時間の取引が多すぎる、または大きすぎる", "短时间内交易过多或过大", "짧은 시간에 거래가 너무 많거나 큼",
	)}},
	pendingChargeback: {group: groupTrade, Code: economy.Code{ID: "pending_chargeback", Since: 1, Text: texts(
		"Paid with money that was or may be charged back",
		"支払い取消の対象となりうる購入分が使われている", "使用了被拒付或可能被拒付的充值", "취소되었거나 취소될 수 있는 결제분을 사용함",
	)}},
	firstTradeBetweenParties: {group: groupTrade, Code: economy.Code{ID: "first_trade_between_parties", Since: 1, Text: texts(
		"The two have never traded before",
		"両者の初めての取引", "双方首次交易", "두 사람의 첫 거래",
	)}},
}

// Catalogue returns every code, factors of a risk first.
func Catalogue() []economy.Code {
	list := make([]economy.Code, codes)
	for c := range catalogue {
		list[c] = catalogue[c].Code
	}
	return list
}

// Known reports whether the catalogue has a code.
func Known(id string) bool {
	_, ok := codeOf[id]
	return ok
}

var codeOf = func() map[string]code {
	m := make(map[string]code, codes)
	for c := range catalogue {
		m[catalogue[c].ID] = code(c)
	}
	return m
}()
