package text

import "testing"

func TestDeedsOfBreakingIn(t *testing.T) {
	checkRules(t, rulesOnly(t, LinkConfig{}), []ruleCase{
		{"i get into his whatsapp for 70 euro, he won't know", "crime-for-hire", ""},
		{"hacker wanted for my ex's insta, i pay", "crime-for-hire", ""},
		{"busco hacker para el insta de mi ex, pago 80 euros", "crime-for-hire", ""},
		{"entro no whatsapp de qualquer pessoa, 150 reais", "crime-for-hire", ""},
		{"je rentre dans son insta pour 60€", "crime-for-hire", ""},
		{"suche hacker für das konto meiner ex, zahle 100 euro", "crime-for-hire", ""},
		{"ti entro nel telefono del tuo ex per 90€", "crime-for-hire", ""},
		{"wejdę na fb twojej ex za 200 zł", "crime-for-hire", ""},
		{"ik kom in haar insta voor 60 euro", "crime-for-hire", ""},
		{"нужен хакер, вскрыть телеграм бывшей, заплачу", "crime-for-hire", ""},
		{"hacker arıyorum eski sevgilimin hesabı için, 1500 tl veririm", "crime-for-hire", ""},
		{"彼氏のLINE覗きたい人、2万でやります", "crime-for-hire", ""},
		{"남친 카톡 뚫어줄 해커 구해요 사례 30만원", "crime-for-hire", ""},
		{"有没有黑客，帮我黑进前男友微信，给一千块", "crime-for-hire", ""},
		{"cần tìm hacker vào được fb người yêu, trả 500k", "crime-for-hire", ""},
		{"หาแฮกเกอร์แฮกไลน์แฟน จ่าย 2000 บาท", "crime-for-hire", ""},
		{"cari hacker buat ig mantan, gw bayar 300rb", "crime-for-hire", ""},
		{"مطلوب هكر يدخل واتس زوجتي بدفع 200 دولار", "crime-for-hire", ""},
		{"कोई हैकर है जो जीमेल तोड़ दे, 2000 रुपये दूंगा", "crime-for-hire", ""},
		{"koi hacker chahiye meri gf ka instagram kholna hai, paise dunga 2000 rupaye", "crime-for-hire", ""},
		{"my insta was hacked yesterday, help", "", ""},
		{"the hacker class is 50 gold cheaper this season", "", ""},
		{"he hacks in every game, report him", "", ""},
		{"mijn insta is gehackt, wie kan helpen", "", ""},
		{"меня взломали в вк, потерял 500 рублей", "", ""},
		{"解锁了黑客皮肤，花了三百", "", ""},
		{"me hackearon el insta y perdí 80 euros", "", ""},
	})
}

func TestDeedsOfRecruitingByDeed(t *testing.T) {
	checkRules(t, rulesOnly(t, LinkConfig{}), []ruleCase{
		{"white lads who are done talking, we train with guns, dm to join", "recruiting", ""},
		{"gesucht für den kampf: weiße jungs, anschläge vorbereiten, wir suchen noch zwei", "recruiting", ""},
		{"procuramos camaradas brancos, ação de verdade, treino de tiro todo mês", "recruiting", ""},
		{"szukamy białych ludzi gotowych bić i palić, zgłoś się", "recruiting", ""},
		{"wij zoeken witte jongens, meer dan praten, aanslagen plannen, stuur dm", "recruiting", ""},
		{"ищем белых парней, от слов к делу, научим стрелять, пиши в лс", "recruiting", ""},
		{"รวมพลคนใจถึง วางระเบิด มีฝึกยิง ทักมา", "recruiting", ""},
		{"brothers, the raid tonight: fight and burn their castle, join our guild", "", ""},
		{"i go to the shooting range every month with my dad", "", ""},
		{"the white team needs lads for the tournament, join the group", "", ""},
	})
}

func TestDeedsOfOthersCards(t *testing.T) {
	checkRules(t, rulesOnly(t, LinkConfig{}), []ruleCase{
		{"收别人的信用卡资料，带验证码的，一条两百", "stolen-cards", ""},
		{"bankpassen met pincode te koop, 90 euro per stuk", "illegal-offer", ""},
		{"ik ben mijn bankpas kwijt, 90 euro weg", "", ""},
		{"信用卡验证码千万别给别人", "", ""},
	})
}

func TestDeedsOfSecrecy(t *testing.T) {
	checkRules(t, rulesOnly(t, LinkConfig{}), []ruleCase{
		{"don't tell mom that we text, if your mom asks say you do homework", "grooming", ""},
		{"non dirlo alla mamma che ci scriviamo, cancella tutto dopo", "grooming", ""},
		{"zeg niks tegen je moeder dat we appen, wis de chat", "grooming", ""},
		{"скажи что делаешь уроки, дома не говори", "grooming", ""},
		{"เจอกันหลังเลิกเรียน ห้ามบอกใครนะ", "grooming", ""},
		{"chat với anh xong xóa nha nhóc, chỉ mình biết thôi", "grooming", ""},
		{"mummy pooche to homework bol dena, kisi ko batana mat", "grooming", ""},
		{"ママに聞かれたら宿題してるって言って、誰にも言っちゃダメ", "grooming", ""},
		{"엄마가 물어보면 숙제한다고 해, 우리 둘만 알자", "grooming", ""},
		{"妈妈问起就说在写作业，谁也不能知道", "grooming", ""},
		{"i told mum i was doing homework lol", "", ""},
		{"after school i play with my brother", "", ""},
		{"na school nog een potje?", "", ""},
		{"放学后一起打排位", "", ""},
	})
}

func TestBargainsUnderTheShop(t *testing.T) {
	checkRules(t, rulesOnly(t, LinkConfig{}), []ruleCase{
		{"robux below the official shop, i sell, discord kelp.moss", "bargain", ""},
		{"robux onder de winkelprijs, te koop, stuur appje", "bargain", ""},
		{"argent ig moins cher que la boutique officielle, on a du stock, contacte moi sur telegram", "bargain", ""},
		{"다이아 충전 공홈 50퍼 가격, 오픈카톡 주세요", "bargain", ""},
		{"रैंक पुश करवा लो, 1200 में, दो दिन में", "bargain", ""},
		{"the bundle was at half price, so i bought it", "", ""},
		{"de bundel is halve prijs in de winkel", "", ""},
	})
}
