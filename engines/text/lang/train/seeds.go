package main

import (
	"math/rand/v2"
	"strings"

	"github.com/portcullis-gg/portcullis/engines/text/lang"
)

// seeds are frequent words of languages, written for this table: for languages that
// the sentences lack, and words of chat for others that they have in book style only.
var seeds = map[string]string{
	"cs": `já ty on ona ono my vy oni být jsem jsi je jsme jste jsou byl byla bylo byli budu budeš bude budeme mám máš má máme máte mají ne ano nevím vím
víš ví chci chceš chce můžu můžeš může můžeme musím musíš musí dělat dělám děláš co kdo kde kdy jak proč protože když ale nebo a i že který která které kteří tady tam teď
dnes zítra včera dobře dobrý dobrá špatně velký malý hezký jo jasně díky děkuju prosím ahoj čau nazdar hrát hra hraju hraješ hráč hráči pojď pojďme jdi jdu jdeš jde
kluci holky člověk lidi lidé všichni všechno nic něco někdo nikdo vždycky nikdy ještě už jen pouze taky také trochu moc hodně víc méně lepší nejlepší pomoc pomoz mi mě tě
tebe ho ji jim jeho její náš váš svůj se si na v ve s z do od pro po před za nad pod mezi bez u k ke při tento tohle ten ta to ti takže přece prostě počkej dej vezmi zabil
umřel prohráli vyhráli útok obrana škoda promiň omlouvám řekl řekni slyšíš vidíš vidím myslím myslíš říkám škola práce doma domů peníze čas rok den noc ráno večer`,
	"hu": `én te ő mi ti ők vagyok vagy van vagyunk vagytok vannak volt voltam voltál lesz leszek leszel nem igen nincs nincsen tudom tudod tudja akarom akarok
akarsz akar kell kellene lehet szeretném szeretem szeretlek mit mi ki hol mikor hogy hogyan miért mert ha de vagy és is az a egy ez ezt azt ezek azok itt ott most ma holnap
tegnap jó jól rossz nagy kicsi szép köszönöm köszi kérlek szia sziasztok helló játék játszom játszol játszik játszani játékos gyere gyertek menj megyek mész megy mindenki
minden semmi valami valaki senki mindig soha még már csak nagyon kicsit több kevesebb jobb legjobb segíts segítség nekem neked neki engem téged őt vele velem veled benne
rajta alatt fölött között nélkül után előtt miatt szerint akkor várj adj vedd megölt meghalt vesztettünk nyertünk támadás védelem bocs bocsánat sajnálom mondd mondta
hallod látod látom gondolom szerintem iskola munka otthon haza pénz idő év nap éjszaka reggel este ember emberek fiúk lányok barátom hülye ilyen olyan ezért azért amikor
ahol ami aki amit csinálsz csinálok csinál tényleg persze rendben oké haver egyébként talán biztos kérdés válasz`,
	"sv": `jag du han hon vi ni de dem är var varit blir blev har hade haft ska skulle kan kunde måste vill ville vet inte ingen inget inga ja nej nog också bara mycket
lite mer mindre bättre bäst dålig bra stor liten fin tack snälla hej hejdå spel spelar spela spelare kom gå går gick alla allt något någon aldrig alltid fortfarande redan nu
idag imorgon igår här där när hur varför vad vem vilken vilket eftersom om men eller och att som för på i av med till från under över mellan utan efter före hos mig dig honom
henne oss er min din hans hennes vår sin mitt ditt sitt denna detta den det dessa så då vänta ge ta dog död dödade förlorade vann attack försvar förlåt ursäkta säg säger sa
hör hörde ser såg tror tycker tänker skola jobb hemma hem pengar tid år dag natt morgon kväll människa människor folk killar tjejer kompis dum sån sådan därför medan göra gör
gjorde faktiskt såklart okej kanske säkert fråga svar jättebra jävla fan skit behöver försöker håller låt lägg ligger sitter står`,
	"bg": `аз ти той тя то ние вие те съм си е сме сте са бях беше бяха ще няма имам имаш има имаме имат не да знам знаеш знае искам искаш иска мога можеш може трябва какво кой
къде кога как защо защото ако но или и че който която което които тук там сега днес утре вчера добре добър добра лошо голям малък хубав благодаря моля здравей здрасти игра
играя играеш играе играч играчи ела хайде отивам отиваш отива всички всичко нищо нещо някой никой винаги никога още вече само също много малко повече по-малко по-добре най
помощ помогни ми ме те теб го я им ги негов нейна наш ваш свой се на в във с със от до за при пред над под между без този тази това тези онзи така просто чакай дай вземи уби
умря загубихме спечелихме съжалявам извинявай казвам каза кажи чуваш виждаш виждам мисля мислиш училище работа вкъщи пари време година ден нощ сутрин вечер човек хора момчета
момичета приятел глупав такъв затова когато където правя правиш прави наистина разбира се окей може би сигурно въпрос отговор ъгъл бъди първи`,
	"hi-Latn": `main mein mai tu tum aap hum woh wo ye yeh kya kyu kyun kaise kaha kahan kab kaun kon hai hain hu hoon ho tha thi the hoga hogi honge nahi nahin nhi mat haan
ha acha accha achha thik theek bhai bhaiya behen yaar yar dost log sab kuch kuchh koi kisi mera meri mere tera teri tere uska uski uske hamara apna apni apne mujhe mujhko tujhe
tumhe usko usse unko ko ka ki ke se me par pe tak bhi hi to toh aur ya lekin agar jab tab phir fir abhi aaj kal ab kar karo karna karta karti karte kiya karke raha rahi rahe
rha rhi rhe gaya gayi gaye ja jao jaa aa aao aaja aana jana dekh dekho dekha bol bolo bola sun suno samajh pata lagta laga chahiye chalo chal de do dena diya le lo lena liya
mar maar mara khel khelo khelna game wala wali wale bahut bohot thoda zyada jyada kam bada chota sahi galat pagal bakwas jaldi paisa ghar kaam din raat subah shaam zindagi
dil pyar baat sach jhoot samjha matlab isliye kyunki waise bilkul zaroor shayad madad karunga karega karenge maza`,
	"ar-Latn": `ana enta enti inta inti howa heya e7na 7na ento homma mesh mish mush mo laa la2 aywa eh leh lesh lih fein wein fen wen ezay keif kif emta meen min 3ayez
3ayz 3ayza 3awz bedi beddi bas bs kda keda hek heik kaman bardo 7abibi habibi ya yalla yallah wallah wallahi inshallah insha2allah 7amdella alhamdulillah shukran 3afwan
ma3lesh sa7 tamam kwayes mnee7 ktir kteer awi gedan giddan shway shwaya delwa2ty hala2 halla2 bokra bukra embare7 mbare7 el fi fe 3ala 3la ma3 ma3ak ma3aya 3andi 3andak
mafi mafeesh fih feeh 2ulli 2oli 2alli shoft shuf shoof ro7 roo7 ta3al ta3ala e3mel a3mel b7ebak ba7ebak b7ebek wa7ed etnen talata 5ales khalas 5alas kol kolo haga 7aga
shi eshi walad bent nas sa7bi sadi2i akhi okhti baba mama sho shu hada hay hayda da di dol yom youm lel el2 3arabi masr ma7adesh 7ad mabsoot za3lan t3ban 7elw 7elwa wenak
wainak kifak keefak ezayak 3amel labas wach wesh kayn makanch bzaf chwiya rani nta nti hna 3lach kifach daba`,
	"ne": `म तिमी तपाईं ऊ उनी हामी उनीहरू हो छ छन् छु छौ थियो थिए हुन्छ हुन्न छैन होइन के किन कहाँ कहिले कसरी को कुन यो त्यो यहाँ त्यहाँ अहिले आज भोलि हिजो राम्रो नराम्रो ठूलो सानो धन्यवाद नमस्ते
खेल खेल्छु खेल्न आउनुहोस् आऊ जाऊ जान्छु गर्छ गर्छु गर्नुहोस् गर्न गरेको भयो भएको लाई ले मा बाट सँग र तर पनि मात्र धेरै अलि सबै केही कोही कहिल्यै मेरो तिम्रो तपाईंको उसको हाम्रो मलाई तिमीलाई
दाइ भाइ दिदी बहिनी साथी मान्छे मानिस घर काम पैसा समय दिन रात बिहान भन्छ भन्नुभयो हेर सुन थाहा चाहिन्छ सक्छ हुनेछ भने गर्दै रहेको`,
	"ky": `мен сен сиз ал биз силер алар эмне ким кайда качан кандай эмнеге үчүн жана бирок же да эмес жок бар болот болду болгон керек жакшы жаман чоң кичине рахмат салам ойно
ойнойм бүгүн эртең кечээ азыр эми бул ошол кыргыз тил айт көр кел кет бер ал алып келип жатат жатам турат өтө абдан баары эч нерсе киши адам балдар үй иш акча убакыт күн түн`,
	"tg": `ман ту шумо ӯ мо онҳо чӣ кӣ куҷо кай чӣ хел чаро барои ва аммо ё не ҳа нест аст ҳаст буд шуд мешавад бояд хуб бад калон хурд раҳмат салом бозӣ имрӯз фардо дирӯз ҳозир ин он
забон тоҷикӣ гуфт дид омад рафт дод гирифт мекунад мекунам кардан карда бисёр ҳама ҳеҷ чиз одам мардум бачаҳо хона кор пул вақт рӯз шаб ҷавон ҳам бо аз дар ба то ки`,
	"ps": `زه ته تاسو هغه هغې موږ دوی څه څوک چیرته کله څنګه ولې ځکه او خو یا نه هو نشته دی ده دي وو شو کیږي باید ښه بد لوی کوچنی مننه سلام لوبه نن سبا پرون اوس دا دغه ژبه پښتو وایي
ولیدل راغی لاړ ورکړ واخیست کوي کوم کړی ډېر ټول هېڅ شی سړی خلک هلکان کور کار پیسې وخت ورځ شپه په کې له سره ته پورې چې زما ستا زموږ`,
	"ckb": `من تۆ ئەو ئێمە ئێوە ئەوان چی کێ لەکوێ کەی چۆن بۆچی چونکە و بەڵام یان نا بەڵێ نییە هەیە بوو دەبێت پێویستە باش خراپ گەورە بچووک سوپاس سڵاو یاری ئەمڕۆ بەیانی دوێنێ ئێستا ئەمە
زمان کوردی گوتی دیتی هات ڕۆیشت دەکات دەکەم کردن زۆر هەموو هیچ شت مرۆڤ خەڵک ماڵ کار پارە کات ڕۆژ شەو لە بە بۆ لەگەڵ تا کە`,
	"as": `মই তুমি আপুনি সি তাই আমি তেওঁ তেওঁলোক কি কোন ক'ত কেতিয়া কেনেকৈ কিয় কাৰণ আৰু কিন্তু বা নহয় হয় নাই আছে আছিল হব লাগে ভাল বেয়া ডাঙৰ সৰু ধন্যবাদ নমস্কাৰ খেল খেলিছো আজি কাইলৈ এতিয়া
এইটো সেইটো অসমীয়া ভাষা ক'লে দেখিলে আহিল গ'ল দিলে কৰে কৰো কৰা বহুত সকলো একো মানুহ ল'ৰা ছোৱালী ঘৰ কাম টকা সময় দিন ৰাতি ৰ ত লৈ পৰা মোৰ তোমাৰ`,
	"so": `aniga adiga isaga iyada annaga idinka iyaga maxaa yaa xaggee goorma sidee waayo sababtoo iyo laakiin ama maya haa ma jiro waa wuu way waxaan waxay waxa ayaa baa noqon waa in
fiican xun weyn yar mahadsanid salaan ciyaar ciyaarta maanta berri shalay hadda kan kaas luqadda soomaali yidhi arkay yimid tagay siiyay qaatay sameeyo aad badan dhammaan wax
qof dad wiilal guri shaqo lacag waqti maalin habeen ku ka la u soo isku kuma kaaga walaal`,
	"ha": `ni kai ke shi ita mu ku su me wane ina yaushe yaya me yasa saboda da amma ko a'a eh ba akwai ne ce yana tana suna zan zai za ta dole kyau mugu babba karami nagode sannu wasa
yau gobe jiya yanzu wannan wancan harshe hausa ya ce gani zo tafi ba shi karba yi yin sosai duka komai mutum mutane yara gida aiki kudi lokaci rana dare cikin tare daga zuwa har
kuma domin wanda abin abokina`,
	"zu": `mina wena yena thina nina bona ini ubani kuphi nini kanjani ngoba futhi kodwa noma cha yebo akukho kukhona ngi u si ba ngiyabonga sawubona umdlalo namhlanje kusasa izolo manje
lokhu lokho ulimi isizulu uthe wabona weza wahamba enza kakhulu konke lutho umuntu abantu abafana indlu umsebenzi imali isikhathi usuku ubusuku ngiyakuthanda ngifuna angazi
unjani ngiyaphila yebo baba mama mfowethu khona lapha`,
	"uz": `men sen siz u biz ular nima kim qayerda qachon qanday nega chunki va lekin yoki yo'q ha emas bor bo'ladi bo'ldi kerak yaxshi yomon katta kichik rahmat salom o'yin o'ynayman bugun
ertaga kecha hozir bu shu til aytdi ko'rdi keldi ketdi berdi oldi qiladi qilaman juda hamma hech narsa odam odamlar bolalar uy ish pul vaqt kun tun uchun bilan`,
	"es": `q xq pq tb tmb porfa bro wey güey jaja jajaja noob manco mancos jugando partida equipo tío tía vale venga vamos weon boludo che amigo hermano nomás neta órale chido`,
	"pt": `vc vcs tb tbm pq blz vlw flw kkk kkkk mano cara velho véi mermão bora jogar partida time não sei tô tá né aí lá pra pro`,
	"fr": `mdr ptdr jsp jpp tkt wesh frère gros mec meuf ouais nan chui t'es j'ai c'est pk pq bcp stp svp partie équipe joueur joue`,
	"de": `digga alter jo nö nee ned ich hab kp ka vllt mal halt eben doch spiel spiele team gewonnen verloren alle sau`,
	"it": `cmq nn xké perché raga bro boh dai vabbè giocare partita squadra fra zio`,
	"pl": `nwm nw spoko siema elo ziomek gramy gra drużyna kurde chyba dobra`,
	"ru": `чё че норм спс пж плз ку го катка катку тима бро ща щас хз имба нерф дроп рейд`,
	"tr": `slm nbr knk kanka abi aga tmm naber hocam lan oyun takım oynayalım bi şey yaw`,
	"id": `gw gue lu lo gk ga nggak gak bgt banget yg dgn udah udh aja doang main bareng anjir gan bang wkwk wkwkwk mabar tim kalah menang`,
	"tl": `ako ikaw ka siya kami tayo kayo sila hindi oo wala meron lang naman po opo bakit paano saan kailan sino ano kasi pero tapos laro maglaro talo panalo grabe sige tara`,
	"vi": `k ko hok đc dc vs mn ae bn t m mày tao nha nhé đi chơi game trận thắng thua team rank gà vl`,
	"nl": `ff idd gwn nie wss kheb ben je bent spel spelen team gewonnen verloren jongens kom op`,
	"ro": `nu da știu stiu vreau poate trebuie ce cine unde când cum de ce pentru că dar sau și si bine mulțumesc salut joc joci jucăm echipa băi bă frate`,
	"ms": `aku kau awak saya tak nak dah lah je jom main boleh mana kenapa macam mana sebab dengan untuk lepas tu budak korang`,
}

// seedRows makes texts of the seeds: a few words in chance order.
func seedRows() []row {
	var rows []row
	for _, name := range lang.Tags() {
		words := strings.Fields(seeds[name])
		if len(words) == 0 {
			continue
		}
		rng := rand.New(rand.NewPCG(5, uint64(len(rows)))) //nolint:gosec // a fixed order, no secret
		for range 3 * len(words) {
			n := 2 + rng.IntN(6)
			picked := make([]string, n)
			for i := range picked {
				picked[i] = words[rng.IntN(len(words))]
			}
			rows = append(rows, row{strings.Join(picked, " "), lang.Parse(name)})
		}
	}
	return rows
}
