package chat

import (
	"strings"
	"time"
)

// banTexts tell a player of its ban: for good, and until a time (%).
var banTexts = map[string][2]string{
	"en":      {"Your account is banned.", "Your account is banned until %."},
	"ja":      {"あなたのアカウントは利用停止になりました。", "あなたのアカウントは%まで利用停止です。"},
	"zh":      {"您的账号已被封禁。", "您的账号已被封禁至 %。"},
	"zh-hant": {"您的帳號已被停權。", "您的帳號已被停權至 %。"},
	"ko":      {"계정이 정지되었습니다.", "계정이 %까지 정지되었습니다."},
	"de":      {"Dein Konto ist gesperrt.", "Dein Konto ist bis % gesperrt."},
	"es":      {"Tu cuenta está suspendida.", "Tu cuenta está suspendida hasta el %."},
	"fr":      {"Votre compte est banni.", "Votre compte est banni jusqu'au %."},
	"pt":      {"Sua conta está banida.", "Sua conta está banida até %."},
	"ru":      {"Ваш аккаунт заблокирован.", "Ваш аккаунт заблокирован до %."},
}

// banText is the text for a language tag, in English where we have no other.
func banText(language string, until time.Time) string {
	tag := strings.ToLower(strings.ReplaceAll(language, "_", "-"))
	base, rest, _ := strings.Cut(tag, "-")
	if base == "zh" && traditional(rest) {
		base = "zh-hant"
	}
	texts, ok := banTexts[base]
	if !ok {
		texts = banTexts["en"]
	}
	if until.IsZero() {
		return texts[0]
	}
	return strings.Replace(texts[1], "%", until.UTC().Format("2006-01-02 15:04 UTC"), 1)
}

// traditional reports whether the rest of a Chinese tag asks for traditional
// characters: by its script, or by a region where they are written.
func traditional(rest string) bool {
	for part := range strings.SplitSeq(rest, "-") {
		switch part {
		case "hant", "tw", "hk", "mo":
			return true
		case "hans":
			return false
		}
	}
	return false
}
