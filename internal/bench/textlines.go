package bench

import "strings"

// textLine is one message with the language that its sender would name.
type textLine struct{ lang, text string }

// chatLines are the ordinary chat of twelve languages, seventeen lines of each,
// that `bench text` measures with.
func chatLines() []textLine { return splitLines(ordinary) }

// disguisedLines are abuse in disguise: the messages that cost most to read.
func disguisedLines() []textLine { return splitLines(disguised) }

// splitLines reads blocks of lines, each block under "# language".
func splitLines(s string) []textLine {
	var out []textLine
	lang := ""
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "# "); ok {
			lang = name
		} else if line != "" {
			out = append(out, textLine{lang, line})
		}
	}
	return out
}

const disguised = `
# en
k i l l  y o u r s e l f
y0u 4r3 4n 1d10t lol
f.u.c.k this g@me
ｓｈｕｔ ｕｐ ｙｏｕ ｉｄｉｏｔ
уоu аrе а mоrоn
stuuuuupiiiid noooob
i̷d̷i̷o̷t̷ team
buy g0ld at w w w . cheapgold . example
# de
du 1d10t halt die fre55e
# fr
f e r m e  t a  g u e u l e
# es
1d10ta c4llat3
# ru
и д и о т ты
# zh
傻 逼 队 友
加薇信 abc12345 便宜金币
# ja
し ね よ お前
# ko
ㅂ ㅅ 같은 팀
`

const ordinary = `
# en
gg wp everyone
anyone up for ranked later?
need one more healer for the dungeon
brb two minutes, door
that last round was so close
who has the key for the north gate
push mid after this wave
nice shot, how far was that?
my ping is terrible tonight
can you trade me a few potions
meet at the fountain at 8
i finally got the blue shield!!
sorry my bad, wrong button
lol did you see that jump
what level do you need for the forest?
thanks for the carry, see you tomorrow
does the new patch fix the lag
# de
gut gespielt, bis morgen
kann mir jemand beim Boss helfen?
wir brauchen noch einen Heiler
ich bin gleich wieder da
wo treffen wir uns nach der Schule
hat wer noch Holz übrig?
die letzte Runde war echt knapp
ich geh links, du nimmst die Mitte
mein Internet ist heute so langsam
wie kommt man auf die Insel?
danke für den Trank
wer macht mit beim Turnier am Samstag
schöne Rüstung, wo gibt es die?
ich muss noch Hausaufgaben machen
passt auf, da kommt ein Drache
lass mal eine Pause machen
das Update ist endlich da
# fr
bien joué tout le monde
quelqu'un pour un donjon ce soir ?
il me manque deux pièces d'or
je reviens dans cinq minutes
on se retrouve près du pont
attention derrière toi !
j'ai trouvé une épée rare
qui veut échanger des cristaux ?
ma connexion est mauvaise aujourd'hui
comment on ouvre cette porte
merci pour le coup de main
la prochaine partie on gagne
tu joues depuis combien de temps ?
c'était vraiment une belle partie
je prends le rôle de soigneur
il y a trop de monde sur le serveur
à demain les amis
# es
buena partida a todos
¿alguien para una mazmorra?
nos falta un sanador
vuelvo enseguida
quedamos en la plaza a las ocho
¡cuidado con el dragón!
¿cómo se llega al castillo?
tengo madera de sobra si necesitas
hoy el servidor va muy lento
gracias por la ayuda con la misión
yo voy por la derecha
¿quién tiene la llave?
me encanta tu montura nueva
mañana tengo examen, me voy a dormir
esa jugada fue increíble
¿qué precio tiene el escudo azul?
hasta mañana, equipo
# pt
boa partida pessoal
alguém quer fazer a missão comigo?
falta um curandeiro no grupo
já volto, vou jantar
onde fica a caverna de gelo?
obrigado pela poção
cuidado com a armadilha
hoje a internet está ruim
vamos pelo caminho da esquerda
quem tem flechas sobrando?
que armadura bonita
amanhã tem torneio às nove
consegui subir de nível!
espera por mim na ponte
a nova atualização ficou ótima
quantos pontos faltam?
até amanhã, foi divertido
# it
bella partita ragazzi
qualcuno per una missione stasera?
ci manca un guaritore
torno tra due minuti
ci vediamo alla fontana
attento alle spalle!
come si arriva al villaggio?
ho trovato una spada rara
oggi il server è lentissimo
grazie per le pozioni
io vado a sinistra, tu al centro
chi ha la chiave della torre?
che bella armatura nuova
domani ho scuola, vado a letto
l'ultimo turno era quasi nostro
quanto costa lo scudo blu?
a domani amici
# ru
хорошая игра, всем спасибо
кто пойдёт на босса вечером?
нам нужен ещё один лекарь
я скоро вернусь
встречаемся у фонтана в восемь
осторожно, сзади дракон
как попасть на остров?
у меня есть лишние стрелы
сегодня сервер сильно тормозит
спасибо за зелье
иду налево, ты держи центр
у кого ключ от башни?
красивая броня, где взял?
завтра в школу, пойду спать
последний раунд был напряжённый
сколько стоит синий щит?
до завтра, ребята
# tr
iyi oyundu herkese
zindana gelen var mı?
bir şifacı daha lazım
beş dakikaya dönerim
köprünün yanında buluşalım
arkana dikkat et!
adaya nasıl gidiliyor?
fazla odunu olan var mı
bugün internetim çok yavaş
iksir için teşekkürler
ben soldan gidiyorum
kulenin anahtarı kimde?
zırhın çok güzelmiş
yarın sınavım var, yatıyorum
son tur çok çekişmeliydi
mavi kalkan kaç altın?
yarın görüşürüz
# ja
お疲れさまでした
今夜ダンジョン行ける人いますか
回復役があと一人ほしいです
五分で戻ります
噴水の前で集合しましょう
後ろに気をつけて！
島にはどうやって行くの？
木材が余ってるので分けますよ
今日はラグがひどいな
ポーションありがとう
左から行くね、中央お願い
塔の鍵は誰が持ってる？
その鎧かっこいいですね
明日テストだからもう寝ます
最後のラウンド惜しかった
青い盾はいくらですか
また明日遊ぼう
# ko
수고하셨습니다
오늘 저녁 던전 가실 분?
힐러 한 명 더 필요해요
오 분 뒤에 돌아올게요
분수 앞에서 만나요
뒤에 조심하세요!
섬에는 어떻게 가나요?
나무 남는 거 있으면 주세요
오늘 서버가 너무 느리네
물약 고마워요
저는 왼쪽으로 갈게요
탑 열쇠 누가 가지고 있어요?
갑옷 진짜 멋지다
내일 시험이라 자러 갑니다
마지막 판 아까웠다
파란 방패 얼마예요?
내일 또 봐요
# zh
打得不错，大家辛苦了
今晚有人一起下副本吗
还差一个治疗
我五分钟后回来
在喷泉旁边集合
小心后面！
请问怎么去那个岛？
我有多余的木头可以给你
今天服务器好卡
谢谢你的药水
我走左边，你守中路
塔的钥匙在谁那里
你的盔甲真好看
明天要考试，先睡了
最后一局差一点就赢了
蓝色盾牌多少金币
明天见，玩得很开心
# ar
لعبة جميلة شكرا للجميع
من يريد الذهاب إلى القلعة؟
نحتاج إلى معالج آخر
سأعود بعد خمس دقائق
نلتقي عند النافورة
انتبه خلفك!
كيف أصل إلى الجزيرة؟
عندي خشب زائد
الخادم بطيء جدا اليوم
شكرا على الجرعة
سأذهب من اليسار
من معه مفتاح البرج؟
درعك جميل جدا
عندي امتحان غدا
كانت الجولة الأخيرة صعبة
كم سعر الدرع الأزرق؟
أراكم غدا
`
