package text

import "github.com/portcullis-gg/portcullis/engines"

// currencySign reports whether r is the sign of money that is real.
func currencySign(r rune) bool { return isOneOf(r, "$€£¥₩₽₹₫") }

// moneyWords name real money after a number.
var moneyWords = map[string]bool{
	"usd": true, "eur": true, "euro": true, "euros": true, "dollar": true, "dollars": true, "bucks": true, "gbp": true, "rmb": true, "cny": true,
	"yuan": true, "yen": true, "krw": true, "jpy": true, "brl": true, "pln": true, "php": true, "rub": true, "paypal": true, "usdt": true,
}

// goodsWords name what only a game can give.
var goodsWords = map[string]bool{
	"gold": true, "golds": true, "coins": true, "gems": true, "gp": true, "isk": true, "gil": true, "adena": true, "meso": true, "mesos": true,
	"plat": true, "platinum": true, "credits": true, "diamonds": true, "crystals": true, "robux": true, "vbucks": true, "zeny": true, "kamas": true,
	"osrs": true, "primogems": true, "silver": true, "currency": true,
}

// The same in scripts without spaces, folded.
var (
	denseMoney = [...]string{"元", "块", "円", "원", "人民币", "日元", "刀", "萬円", "万円"}
	denseGoods = [...]string{"金币", "钻石", "元宝", "ごーるど", "じぇむ", "골드", "다이아", "아데나", "메소", "点券", "游戏币", "账号", "帐号", "あかうんと", "垢", "계정"}
)

// offers finds offers to trade what a game gives for real money: an amount of
// game goods beside a price in real money.
func (s *scratch) offers(out []engines.Signal) []engines.Signal {
	price, goods := s.price(), s.goods()
	if price.Empty() || goods.Empty() || gapBetween(price, goods) > 40 {
		return out
	}
	sig := engines.Signal{
		Category: engines.Spam, SubLabel: "rmt", Severity: 3, Confidence: 0.86, Source: engines.SourceRule, Rule: "rule/offer",
		Span: engines.Span{Start: min(price.Start, goods.Start), End: max(price.End, goods.End)},
	}
	return append(out, sig)
}

func gapBetween(a, b engines.Span) int { return max(a.Start-b.End, b.Start-a.End) }

// price finds a number with a currency: $5, 5 usd, 5元.
func (s *scratch) price() engines.Span {
	units := s.norm.units
	for i := range units {
		if units[i].class != classDigit {
			continue
		}
		if i > 0 && currencySign(units[i-1].r) {
			end := i + 1
			for end < len(units) && units[end].class == classDigit {
				end++
			}
			return engines.Span{Start: int(units[i-1].start), End: int(units[end-1].end)}
		}
		if i+1 < len(units) && units[i+1].class == classDigit {
			continue
		}
		if end := s.after(i+1, moneyWords, denseMoney[:]); end > 0 {
			return engines.Span{Start: s.numberStart(i), End: int(units[end-1].end)}
		}
	}
	return engines.Span{}
}

// goods finds a number of game goods: 100k gold, 500金币.
func (s *scratch) goods() engines.Span {
	units := s.norm.units
	for i := range units {
		if units[i].class != classDigit || i+1 < len(units) && units[i+1].class == classDigit {
			continue
		}
		next := i + 1
		for next < len(units) && next-i < 4 && isOneOf(units[next].r, "kmb万w亿만") {
			next++
		}
		if end := s.after(next, goodsWords, denseGoods[:]); end > 0 {
			return engines.Span{Start: s.numberStart(i), End: int(units[end-1].end)}
		}
	}
	return engines.Span{}
}

// numberStart returns the code point where the number begins whose last digit is unit i.
func (s *scratch) numberStart(i int) int {
	units := s.norm.units
	for i > 0 && (units[i-1].class == classDigit || i > 1 && isOneOf(units[i-1].r, ".,") && units[i-2].class == classDigit) {
		i--
	}
	return int(units[i].start)
}

// after returns where the word ends that stands at unit i, past at most one
// space, when it is one of words or begins with one of dense; else 0.
func (s *scratch) after(i int, words map[string]bool, dense []string) int {
	units := s.norm.units
	if i < len(units) && units[i].r == ' ' {
		i++
	}
	if i >= len(units) {
		return 0
	}
	if currencySign(units[i].r) && words["usd"] {
		return i + 1
	}
	var buf [12]byte
	n := 0
	for k := i; k < len(units) && isASCIIWord(&units[k]) && n < len(buf); k++ {
		buf[n] = byte(units[k].r)
		n++
	}
	if n > 0 && words[string(buf[:n])] {
		return i + n
	}
	for _, d := range dense {
		if end := runesAt(units, i, d); end > 0 {
			return end
		}
	}
	return 0
}

// runesAt returns where d ends if it stands at unit i, else 0.
func runesAt(units []unit, i int, d string) int {
	for _, r := range d {
		if i >= len(units) || units[i].r != r {
			return 0
		}
		i++
	}
	return i
}
