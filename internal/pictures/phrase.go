package pictures

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

// Phrase is a line as games show it or players write it: {n} is a number, {who} a name,
// {it} a thing, {at} a place.
func Phrase(rng *rand.Rand, lang Lang) string {
	of := phrases[lang]
	text := of.lines[rng.IntN(len(of.lines))]
	for _, slot := range []struct {
		name string
		from []string
	}{{"{who}", of.who}, {"{it}", of.it}, {"{at}", of.at}} {
		for strings.Contains(text, slot.name) {
			text = strings.Replace(text, slot.name, slot.from[rng.IntN(len(slot.from))], 1)
		}
	}
	for strings.Contains(text, "{n}") {
		text = strings.Replace(text, "{n}", strconv.Itoa(1+rng.IntN([]int{9, 99, 9999}[rng.IntN(3)])), 1)
	}
	return text
}

// Spaced says whether words of a language stand apart, so that a lost space is an error.
func (l Lang) Spaced() bool { return l == English || l == Vietnamese || l == Korean }

type book struct{ lines, who, it, at []string }

var phrases = map[Lang]book{
	English: {
		lines: []string{
			"{who} has joined the party", "You found {it} x{n}", "{who}: anyone up for {at} tonight?", "Quest complete: clear {at}",
			"Level {n} reached, {n} points to spend", "{who} was defeated near {at}", "Trade {it} for {n} silver?", "The gate of {at} opens in {n} seconds",
			"Press E to pick up {it}", "{who}: heal me please, almost dead", "Daily reward: {it} and {n} gems", "Guild war starts at {n}:00, meet in {at}",
			"Damage {n}  Critical {n}", "{who} whispers: nice build, where did you get {it}?", "Cannot enter {at} below level {n}", "Ping {n} ms  FPS {n}",
			"Repair {it} first, it breaks at {n}%", "{who} leads with {n} kills", "Inventory full: drop something to carry {it}", "Map of {at} unlocked",
		},
		who: []string{"Brannoch", "xVaelisx", "MossyFox", "Old Tilda", "Sir Quill", "night_heron", "Kestrel7", "Wump", "Juniper Ash", "DrPickle"},
		it:  []string{"Oak Shield", "Ember Dagger", "Frost Potion", "Torn Banner", "Moon Ring", "Copper Ore", "Hunting Bow", "Spider Silk"},
		at:  []string{"Gloomwood", "the Salt Mine", "Harrow Keep", "Lake Ysel", "the Old Bridge", "Thornfield", "Dock 12"},
	},
	Chinese: {
		lines: []string{
			"{who}加入了队伍", "获得{it}×{n}", "今晚有人一起打{at}吗?", "任务完成:清理{at}", "等级提升到{n}级", "{who}在{at}附近被击败",
			"用{n}银币换{it}可以吗", "{at}的大门将在{n}秒后打开", "按E键拾取{it}", "快给我加血,我要倒下了", "每日奖励:{it}和{n}颗宝石",
			"公会战{n}点开始,在{at}集合", "暴击伤害{n}", "{who}悄悄对你说:装备不错", "等级低于{n}无法进入{at}", "背包已满,请先丢弃物品",
			"先修理{it}再出发", "{who}以{n}次击杀领先", "{at}的地图已解锁", "连续登录{n}天可领取{it}", "前方道路危险,请小心行走", "商店刷新还剩{n}分钟",
		},
		who: []string{"青石", "夜雨听风", "小狐狸", "老铁匠", "月下独行", "铁山", "云游道人", "糖果猫"},
		it:  []string{"木盾", "火焰匕首", "冰霜药水", "破旧旗帜", "月光戒指", "铜矿石", "猎弓", "蛛丝"},
		at:  []string{"幽暗森林", "盐矿", "龙脊山", "镜湖", "旧桥", "荆棘平原", "东码头"},
	},
	Japanese: {
		lines: []string{
			"{who}がパーティーに参加しました", "{it}を{n}個手に入れた", "今夜{at}に行く人いますか?", "クエスト達成:{at}を制圧", "レベル{n}になりました", "{who}は{at}の近くで倒れた",
			"{it}を銀貨{n}枚と交換しませんか", "{at}の門はあと{n}秒で開きます", "Eキーで{it}を拾う", "回復お願いします、もう倒れそう", "毎日の報酬:{it}と宝石{n}個",
			"ギルド戦は{n}時から、{at}に集合", "会心の一撃 {n}ダメージ", "レベル{n}未満は{at}に入れません", "持ち物がいっぱいです", "先に{it}を修理してください",
			"{who}が{n}キルで首位です", "{at}の地図が解放されました", "ログイン{n}日目のボーナス", "この先は危険だ、気をつけろ", "店の品ぞろえはあと{n}分で変わります",
		},
		who: []string{"アオイシ", "よるのサギ", "コダヌキ", "鍛冶屋のゲン", "ツキカゲ", "まめ太郎", "ヒバリ", "しろくま"},
		it:  []string{"木の盾", "炎の短剣", "氷の薬", "やぶれた旗", "月の指輪", "銅の鉱石", "狩りの弓", "クモの糸"},
		at:  []string{"くらやみの森", "塩の坑道", "竜の背山", "鏡の湖", "古い橋", "いばらの原", "東の波止場"},
	},
	Korean: {
		lines: []string{
			"{who} 님이 파티에 참가했습니다", "{it} {n}개를 얻었습니다", "오늘 밤 {at} 같이 갈 사람 있나요?", "임무 완료: {at} 정리", "레벨 {n} 달성", "{who} 님이 {at} 근처에서 쓰러졌습니다",
			"{it} 은화 {n}개에 교환하실래요?", "{at}의 문이 {n}초 후에 열립니다", "E키를 눌러 {it} 줍기", "치료 부탁해요 곧 쓰러져요", "오늘의 보상: {it}과 보석 {n}개",
			"길드전은 {n}시에 시작, {at}에서 모이세요", "치명타 피해 {n}", "레벨 {n} 미만은 {at}에 들어갈 수 없습니다", "가방이 가득 찼습니다", "먼저 {it}을 수리하세요",
			"{who} 님이 {n}킬로 선두입니다", "{at} 지도가 열렸습니다", "연속 접속 {n}일째 선물", "앞길이 위험하니 조심하세요", "상점 목록은 {n}분 뒤에 바뀝니다",
		},
		who: []string{"푸른돌", "밤왜가리", "꼬마너구리", "대장장이 곤", "달그림자", "콩이", "종달새", "흰곰"},
		it:  []string{"나무 방패", "불꽃 단검", "서리 물약", "찢어진 깃발", "달빛 반지", "구리 광석", "사냥 활", "거미줄"},
		at:  []string{"어둠의 숲", "소금 광산", "용등산", "거울 호수", "낡은 다리", "가시 벌판", "동쪽 부두"},
	},
	Thai: {
		lines: []string{
			"{who} เข้าร่วมปาร์ตี้แล้ว", "ได้รับ{it} {n} ชิ้น", "คืนนี้ใครไป{at}บ้าง", "ภารกิจสำเร็จ เคลียร์{at}", "เลเวล {n} แล้ว", "{who} พ่ายแพ้ใกล้{at}",
			"แลก{it}กับเหรียญเงิน {n} เหรียญไหม", "ประตู{at}จะเปิดใน {n} วินาที", "กด E เพื่อเก็บ{it}", "ช่วยเติมเลือดให้หน่อย", "รางวัลประจำวัน {it}", "กระเป๋าเต็มแล้ว", "ระวังทางข้างหน้าอันตราย",
		},
		who: []string{"หินฟ้า", "นกกลางคืน", "เสือน้อย", "ช่างเหล็ก", "เงาจันทร์"},
		it:  []string{"โล่ไม้", "มีดไฟ", "ยาน้ำแข็ง", "แหวนจันทร์", "แร่ทองแดง"},
		at:  []string{"ป่ามืด", "เหมืองเกลือ", "สะพานเก่า", "ทะเลสาบกระจก", "ท่าเรือ"},
	},
	Vietnamese: {
		lines: []string{
			"{who} đã vào tổ đội", "Nhận được {it} x{n}", "Tối nay có ai đi {at} không?", "Hoàn thành nhiệm vụ: dọn sạch {at}", "Đã lên cấp {n}", "{who} bị hạ gần {at}",
			"Đổi {it} lấy {n} đồng bạc nhé?", "Cổng {at} sẽ mở sau {n} giây", "Nhấn E để nhặt {it}", "Hồi máu giúp mình với, sắp gục rồi", "Thưởng hằng ngày: {it} và {n} viên ngọc",
			"Túi đồ đã đầy", "Chưa đủ cấp {n} để vào {at}", "Cẩn thận, phía trước rất nguy hiểm", "{who} dẫn đầu với {n} mạng",
		},
		who: []string{"Đá Xanh", "Cò Đêm", "Cáo Nhỏ", "Thợ Rèn", "Bóng Trăng"},
		it:  []string{"Khiên gỗ", "Dao lửa", "Thuốc băng", "Nhẫn trăng", "Quặng đồng", "Cung săn"},
		at:  []string{"Rừng Tối", "Mỏ Muối", "Cầu Cũ", "Hồ Gương", "Bến Đông"},
	},
}
