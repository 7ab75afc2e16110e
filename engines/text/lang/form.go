package lang

// Frequent characters that are written in one way in Traditional Chinese and in
// another in Simplified, as pairs. Japanese has some of either, so that they weigh
// between the two kinds of Chinese alone.
const formPairs = "們们這这個个來来時时說说國国會会對对學学過过後后發发麼么現现經经頭头還还進进開开點点關关聽听語语見见長长無无東东車车馬马風风" +
	"飛飞魚鱼鳥鸟門门問问間间電电話话買买賣卖錢钱銀银鐵铁鋼钢書书寫写讀读記记認认識识讓让請请謝谢誰谁講讲該该詞词試试話话調调談谈變变" +
	"愛爱親亲歡欢應应當当與与為为從从從从給给給给線线練练紅红綠绿級级組组結结總总縣县員员圖图團团園园場场塊块壞坏報报處处動动務务勝胜" +
	"隊队陣阵陽阳陰阴際际難难雖虽雲云離离雙双雞鸡貓猫豬猪獎奖獵猎戰战殺杀傷伤擊击贏赢輸输運运達达遠远連连邊边遊游選选還还週周農农" +
	"黃黄黨党齊齐龍龙幫帮師师帶带幾几廣广廳厅張张彈弹強强復复憂忧懷怀戲戏揮挥據据擇择擔担斷断於于業业樂乐樓楼樣样機机權权歲岁歷历" +
	"殘残殼壳氣气滅灭漢汉潔洁濟济災灾燈灯燒烧爭争爺爷狀状獨独獻献畫画異异療疗盡尽盤盘眾众礙碍禮礼種种積积穩稳窮穷筆笔節节簡简" +
	"糧粮紀纪約约純纯紙纸細细終终網网義义習习聖圣聲声職职腦脑臉脸興兴舉举艱艰藝艺藥药蘭兰號号蟲虫補补裝装裡里複复規规視视覺觉計计"

// forms says of a Han character what it speaks for: 1 Traditional, -1 Simplified.
var forms = func() (out [0xA000 - 0x4E00]int8) {
	one := int8(1)
	for _, r := range formPairs {
		out[r-0x4E00] = one
		one = -one
	}
	return out
}()

// formOf is the form of a Han character, 0 for one that both have.
func formOf(r rune) int {
	if r < 0x4E00 || r >= 0xA000 {
		return 0
	}
	return int(forms[r-0x4E00])
}

// weighForms takes from one kind of Chinese what is written as the other.
func (d *reader) weighForms(score *[256]int32) {
	switch {
	case d.form > 0:
		score[tagHans] -= min(int32(d.form)*letterWeight, letterMost)
	case d.form < 0:
		score[tagHant] += max(int32(d.form)*letterWeight, -letterMost)
	}
}

var tagHans, tagHant = Parse("zh-Hans"), Parse("zh-Hant")
