package text

import "strings"

// LinkConfig says which hosts an operator knows. A host stands for itself and its
// subdomains; with a path (chat.example.org/our-guild) for what lies under it.
type LinkConfig struct {
	// Allow hosts are never reported, Deny hosts always are.
	Allow, Deny []string
	// Invites are hosts of invitations beside the ones that are known.
	Invites []string
	// DenyAll reports every link to a host that is not allowed.
	DenyAll bool
}

// hostList answers whether a host, or one above it, is listed.
type hostList map[string][]string // host to paths; nil for all of them

func newHostList(entries ...string) hostList {
	l := hostList{}
	for _, e := range entries {
		e = strings.ToLower(strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(e), "https://"), "http://"))
		host, path, _ := strings.Cut(strings.TrimPrefix(e, "*."), "/")
		if path == "" {
			l[host] = nil
		} else if paths, ok := l[host]; !ok || paths != nil {
			l[host] = append(paths, "/"+path)
		}
	}
	return l
}

// has reports whether the link's host or a domain above it is listed for its path.
// Host names have few labels, so this is a handful of look-ups.
func (l hostList) has(k *link, units []unit) bool {
	if len(l) == 0 {
		return false
	}
	host := k.host()
	for {
		if paths, ok := l[string(host)]; ok {
			if paths == nil {
				return true
			}
			for _, p := range paths {
				if hasPrefix(units[k.path:k.to], p) {
					return true
				}
			}
		}
		i := strings.IndexByte(string(host), '.')
		if i < 0 {
			return false
		}
		host = host[i+1:]
	}
}

// linkRules are the hosts that the rules know.
type linkRules struct {
	allow, deny, invites hostList
	denyAll              bool
}

func (c *LinkConfig) compile() *linkRules {
	return &linkRules{
		allow: newHostList(c.Allow...), deny: newHostList(c.Deny...), denyAll: c.DenyAll,
		invites: newHostList(append(c.Invites, inviteHosts[:]...)...),
	}
}

var defaultLinks = (&LinkConfig{}).compile()

// inviteHosts lead to a group or a private chat; a path after them is an invitation.
var inviteHosts = [...]string{
	"discord.gg", "discord.com/invite", "discordapp.com/invite", "dsc.gg", "discord.me", "discord.io", "discord.li", "invite.gg", "t.me",
	"telegram.me", "telegram.dog", "chat.whatsapp.com", "wa.me", "api.whatsapp.com/send", "line.me/ti", "line.me/r", "lin.ee",
	"open.kakao.com/o", "qm.qq.com", "jq.qq.com", "m.me", "signal.group", "signal.me", "invite.viber.com", "vk.me", "zalo.me",
	"teams.live.com/meet", "guilded.gg/i", "kook.top", "kook.vip", "u.wechat.com", "snapchat.com/add", "kik.me", "slack.com/join",
	"join.skype.com", "disboard.org/server",
}

// shorteners hide where a link leads.
var shorteners = newHostList("bit.ly", "tinyurl.com", "goo.gl", "is.gd", "v.gd", "cutt.ly", "rb.gy", "shorturl.at", "ow.ly", "buff.ly",
	"adf.ly", "bc.vc", "linktr.ee", "lnk.to", "t.cn", "suo.im", "suo.nz", "dwz.cn", "url.cn", "clck.ru", "vk.cc", "soo.gd", "s.id", "t.ly",
	"tiny.cc", "bl.ink", "x.gd", "han.gl", "me2.do", "vo.la", "urlz.fr", "linkvertise.com", "ouo.io", "shrtco.de", "kutt.it", "short.gy", "grabify.link", "iplogger.org")

// knownHosts are places that everybody links to.
var knownHosts = newHostList("youtube.com", "youtu.be", "twitch.tv", "discord.com", "discordapp.com", "steamcommunity.com", "steampowered.com",
	"wikipedia.org", "fandom.com", "google.com", "github.com", "reddit.com", "imgur.com", "twitter.com", "x.com", "roblox.com",
	"epicgames.com", "riotgames.com", "leagueoflegends.com", "blizzard.com", "battle.net", "minecraft.net", "mojang.com", "ea.com",
	"playstation.com", "nintendo.com", "xbox.com", "microsoft.com", "apple.com", "naver.com", "bilibili.com", "baidu.com", "wowhead.com",
	"op.gg", "u.gg", "paypal.com", "telegram.org", "whatsapp.com", "runescape.com", "hoyoverse.com", "mihoyo.com", "instagram.com",
	"facebook.com", "tiktok.com", "spotify.com", "gyazo.com", "tenor.com", "giphy.com", "pastebin.com", "stackoverflow.com", "fortnite.com",
	"playvalorant.com", "ubisoft.com", "ubi.com", "rockstargames.com", "gog.com", "valvesoftware.com", "amazon.com", "yahoo.com", "line.me",
	"kakao.com", "qq.com", "wechat.com", "weibo.com", "steamcdn-a.akamaihd.net", "telegram.me", "discordstatus.com", "discord.gift", "discord.media")

// brands are names that cheats imitate, in hosts that are not the brand's.
var brands = [...]string{
	"discord", "steamcommunity", "steampowered", "roblox", "epicgames", "riotgames", "blizzard", "minecraft", "fortnite", "valorant",
	"paypal", "hoyoverse", "runescape", "twitch", "playstation", "nintendo", "telegram", "whatsapp", "youtube",
}

// baits are what stands beside a brand's name in the host of a trap.
var baits = [...]string{
	"nitro", "gift", "free", "login", "verif", "trade", "skin", "drop", "promo", "reward", "giveaway", "secure", "support", "account", "claim", "bonus", "airdrop", "offer",
}

func set(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}

// strongTops are top levels that are hardly ever a word after a full stop
// (a choice from the root zone database of IANA); weakTops are, so that a host
// needs more to be one.
var (
	strongTops = set(`com net org info biz xyz club icu cc tv io ru su ua kz cn jp kr tw hk uk pl cz sk tr br mx vn pk ir eu au nz nl ch dk fi
		gr ro hu bg rs ly gl ws tk ml ga cf gq pw tf mobi asia ai gdn website buzz cfd sbs online site store shop app dev casino`)
	weakTops = set(`gg co me in is it to so no my at be do us am im id es de la fr se ca pt ar cl pe th sg ph st li fm lol wtf pro vip live fun
		top win gold game games team link click gift bet cash money market trade sale cheap deals today world space tech cloud host press
		rocks ninja zone life social chat page bio rest bond monster quest skin porn xxx sex cam by rip one name work lat as vg sh ac ec uy ve
		art best blog center city cool design digital download email express finance group guru help host marketing media network news
		photo plus services social solutions stream studio support systems tips tools video vote wiki` + " dog")
)

// hiddenTops are the top levels that are told when the stop before them is a word
// or stands between spaces: others are words of some language.
var hiddenTops = set("com net org info biz xyz shop store ru cn club site online gg")

// writtenTops are more of them for a stop that is a word, after which few words stand:
// damage over time is a dot too, and "dot to" no host.
var writtenTops = set("io app dev vip")

func commonTop(units []unit) bool {
	var buf [12]byte
	return strongTops[string(ascii(buf[:0], units))] || weakTop(units)
}

func weakTop(units []unit) bool {
	var buf [12]byte
	return weakTops[string(ascii(buf[:0], units))]
}

func strongTop(units []unit) bool {
	var buf [12]byte
	return strongTops[string(ascii(buf[:0], units))]
}
