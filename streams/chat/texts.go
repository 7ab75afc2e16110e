package chat

import (
	"strings"
	"time"
)

// textID names a text that players read.
type textID int

// The texts. Those that end in Until hold a % where the time goes.
const (
	banForGood textID = iota
	banUntil
	warning
	muteForGood
	muteUntil
	voiceForGood
	voiceUntil
	unmuted
	voiceUnmuted
	approved
	rejected
	appealUpheld
	appealDenied
	numTexts
)

// untilOf is the text with an end for one without.
var untilOf = map[textID]textID{banForGood: banUntil, muteForGood: muteUntil, voiceForGood: voiceUntil}

// texts are what players read, by language.
var texts = map[string][numTexts]string{
	"en": {
		banForGood:   "Your account is banned.",
		banUntil:     "Your account is banned until %.",
		warning:      "Warning: what you wrote breaks the rules. If it happens again you may lose access to chat.",
		muteForGood:  "You can no longer write in chat.",
		muteUntil:    "You cannot write in chat until %.",
		voiceForGood: "You can no longer use voice chat.",
		voiceUntil:   "You cannot use voice chat until %.",
		unmuted:      "You can write in chat again.",
		voiceUnmuted: "You can use voice chat again.",
		approved:     "Your message was approved.",
		rejected:     "Your message was not approved.",
		appealUpheld: "Your appeal was upheld: the decision was taken back.",
		appealDenied: "Your appeal was looked at again: the decision stands.",
	},
	"ja": {
		banForGood:   "あなたのアカウントは利用停止になりました。",
		banUntil:     "あなたのアカウントは%まで利用停止です。",
		warning:      "警告：書き込みの内容がルールに違反しています。繰り返すとチャットを利用できなくなることがあります。",
		muteForGood:  "チャットへの書き込みができなくなりました。",
		muteUntil:    "%までチャットに書き込むことはできません。",
		voiceForGood: "ボイスチャットを利用できなくなりました。",
		voiceUntil:   "%までボイスチャットを利用できません。",
		unmuted:      "チャットに書き込めるようになりました。",
		voiceUnmuted: "ボイスチャットを利用できるようになりました。",
		approved:     "メッセージが承認されました。",
		rejected:     "メッセージは承認されませんでした。",
		appealUpheld: "異議申し立てが認められ、決定は取り消されました。",
		appealDenied: "異議申し立てを再確認しましたが、決定は変わりません。",
	},
	"zh": {
		banForGood:   "您的账号已被封禁。",
		banUntil:     "您的账号已被封禁至 %。",
		warning:      "警告：您发送的内容违反了规则。如再次违规，您可能会被禁止聊天。",
		muteForGood:  "您已被禁止在聊天中发言。",
		muteUntil:    "您在 % 之前不能在聊天中发言。",
		voiceForGood: "您已被禁止使用语音聊天。",
		voiceUntil:   "您在 % 之前不能使用语音聊天。",
		unmuted:      "您可以重新在聊天中发言了。",
		voiceUnmuted: "您可以重新使用语音聊天了。",
		approved:     "您的消息已通过审核。",
		rejected:     "您的消息未通过审核。",
		appealUpheld: "您的申诉成立，原处理决定已撤销。",
		appealDenied: "您的申诉已复核，原处理决定维持不变。",
	},
	"zh-hant": {
		banForGood:   "您的帳號已被停權。",
		banUntil:     "您的帳號已被停權至 %。",
		warning:      "警告：您發送的內容違反了規則。如再次違規，您可能會被禁止聊天。",
		muteForGood:  "您已被禁止在聊天中發言。",
		muteUntil:    "您在 % 之前不能在聊天中發言。",
		voiceForGood: "您已被禁止使用語音聊天。",
		voiceUntil:   "您在 % 之前不能使用語音聊天。",
		unmuted:      "您可以重新在聊天中發言了。",
		voiceUnmuted: "您可以重新使用語音聊天了。",
		approved:     "您的訊息已通過審核。",
		rejected:     "您的訊息未通過審核。",
		appealUpheld: "您的申訴成立，原處理決定已撤銷。",
		appealDenied: "您的申訴已複核，原處理決定維持不變。",
	},
	"ko": {
		banForGood:   "계정이 정지되었습니다.",
		banUntil:     "계정이 %까지 정지되었습니다.",
		warning:      "경고: 작성한 내용이 규칙을 위반했습니다. 반복되면 채팅 이용이 제한될 수 있습니다.",
		muteForGood:  "더 이상 채팅을 할 수 없습니다.",
		muteUntil:    "%까지 채팅을 할 수 없습니다.",
		voiceForGood: "더 이상 음성 채팅을 이용할 수 없습니다.",
		voiceUntil:   "%까지 음성 채팅을 이용할 수 없습니다.",
		unmuted:      "다시 채팅을 할 수 있습니다.",
		voiceUnmuted: "다시 음성 채팅을 이용할 수 있습니다.",
		approved:     "메시지가 승인되었습니다.",
		rejected:     "메시지가 승인되지 않았습니다.",
		appealUpheld: "이의 신청이 받아들여져 결정이 취소되었습니다.",
		appealDenied: "이의 신청을 다시 검토했으나 결정은 유지됩니다.",
	},
	"de": {
		banForGood:   "Dein Konto ist gesperrt.",
		banUntil:     "Dein Konto ist bis % gesperrt.",
		warning:      "Warnung: Was du geschrieben hast, verstößt gegen die Regeln. Im Wiederholungsfall kann dir der Chat gesperrt werden.",
		muteForGood:  "Du kannst nicht mehr im Chat schreiben.",
		muteUntil:    "Du kannst bis % nicht im Chat schreiben.",
		voiceForGood: "Du kannst den Sprachchat nicht mehr nutzen.",
		voiceUntil:   "Du kannst den Sprachchat bis % nicht nutzen.",
		unmuted:      "Du kannst wieder im Chat schreiben.",
		voiceUnmuted: "Du kannst den Sprachchat wieder nutzen.",
		approved:     "Deine Nachricht wurde freigegeben.",
		rejected:     "Deine Nachricht wurde nicht freigegeben.",
		appealUpheld: "Deinem Einspruch wurde stattgegeben: Die Entscheidung wurde aufgehoben.",
		appealDenied: "Dein Einspruch wurde geprüft: Die Entscheidung bleibt bestehen.",
	},
	"es": {
		banForGood:   "Tu cuenta está suspendida.",
		banUntil:     "Tu cuenta está suspendida hasta el %.",
		warning:      "Advertencia: lo que has escrito incumple las normas. Si se repite, podrías perder el acceso al chat.",
		muteForGood:  "Ya no puedes escribir en el chat.",
		muteUntil:    "No puedes escribir en el chat hasta el %.",
		voiceForGood: "Ya no puedes usar el chat de voz.",
		voiceUntil:   "No puedes usar el chat de voz hasta el %.",
		unmuted:      "Puedes volver a escribir en el chat.",
		voiceUnmuted: "Puedes volver a usar el chat de voz.",
		approved:     "Tu mensaje ha sido aprobado.",
		rejected:     "Tu mensaje no ha sido aprobado.",
		appealUpheld: "Tu apelación ha sido aceptada: la decisión se ha anulado.",
		appealDenied: "Tu apelación ha sido revisada: la decisión se mantiene.",
	},
	"fr": {
		banForGood:   "Votre compte est banni.",
		banUntil:     "Votre compte est banni jusqu'au %.",
		warning:      "Avertissement : ce que vous avez écrit enfreint les règles. En cas de récidive, vous pourriez perdre l'accès au chat.",
		muteForGood:  "Vous ne pouvez plus écrire dans le chat.",
		muteUntil:    "Vous ne pouvez pas écrire dans le chat jusqu'au %.",
		voiceForGood: "Vous ne pouvez plus utiliser le chat vocal.",
		voiceUntil:   "Vous ne pouvez pas utiliser le chat vocal jusqu'au %.",
		unmuted:      "Vous pouvez de nouveau écrire dans le chat.",
		voiceUnmuted: "Vous pouvez de nouveau utiliser le chat vocal.",
		approved:     "Votre message a été approuvé.",
		rejected:     "Votre message n'a pas été approuvé.",
		appealUpheld: "Votre recours a été accepté : la décision est annulée.",
		appealDenied: "Votre recours a été réexaminé : la décision est maintenue.",
	},
	"pt": {
		banForGood:   "Sua conta está banida.",
		banUntil:     "Sua conta está banida até %.",
		warning:      "Aviso: o que você escreveu viola as regras. Se isso se repetir, você poderá perder o acesso ao chat.",
		muteForGood:  "Você não pode mais escrever no chat.",
		muteUntil:    "Você não pode escrever no chat até %.",
		voiceForGood: "Você não pode mais usar o chat de voz.",
		voiceUntil:   "Você não pode usar o chat de voz até %.",
		unmuted:      "Você pode voltar a escrever no chat.",
		voiceUnmuted: "Você pode voltar a usar o chat de voz.",
		approved:     "Sua mensagem foi aprovada.",
		rejected:     "Sua mensagem não foi aprovada.",
		appealUpheld: "Seu recurso foi aceito: a decisão foi revertida.",
		appealDenied: "Seu recurso foi analisado: a decisão foi mantida.",
	},
	"ru": {
		banForGood:   "Ваш аккаунт заблокирован.",
		banUntil:     "Ваш аккаунт заблокирован до %.",
		warning:      "Предупреждение: ваше сообщение нарушает правила. При повторении вы можете лишиться доступа к чату.",
		muteForGood:  "Вы больше не можете писать в чат.",
		muteUntil:    "Вы не можете писать в чат до %.",
		voiceForGood: "Вы больше не можете пользоваться голосовым чатом.",
		voiceUntil:   "Вы не можете пользоваться голосовым чатом до %.",
		unmuted:      "Вы снова можете писать в чат.",
		voiceUnmuted: "Вы снова можете пользоваться голосовым чатом.",
		approved:     "Ваше сообщение одобрено.",
		rejected:     "Ваше сообщение не одобрено.",
		appealUpheld: "Ваша апелляция удовлетворена: решение отменено.",
		appealDenied: "Ваша апелляция рассмотрена: решение остаётся в силе.",
	},
}

// textFor is a text for a language tag, in English where we have no other. One that
// has an end is told with it.
func textFor(language string, id textID, until time.Time) string {
	tag := strings.ToLower(strings.ReplaceAll(language, "_", "-"))
	base, rest, _ := strings.Cut(tag, "-")
	if base == "zh" && traditional(rest) {
		base = "zh-hant"
	}
	list, ok := texts[base]
	if !ok {
		list = texts["en"]
	}
	if until.IsZero() {
		return list[id]
	}
	return strings.Replace(list[untilOf[id]], "%", until.UTC().Format("2006-01-02 15:04 UTC"), 1)
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
