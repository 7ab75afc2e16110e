// The console's texts. A language is one file per area, `review/ja.json`, of ICU
// messages (https://unicode-org.github.io/icu/userguide/format_parse/messages/);
// all areas of a language are one chunk, fetched before the first render.
// English is the source: test/i18n.test.ts fails where another language lacks a
// key or names other placeholders.
import { IntlMessageFormat } from 'intl-messageformat'
import type { ReactNode } from 'react'
import { Store, useStore } from '../lib/store'
import type { TextKey } from './keys'

export type { TextKey } from './keys'

export const languages = ['en', 'ja', 'zh-Hans', 'zh-Hant', 'ko'] as const
export type Language = (typeof languages)[number]

/** Each language's name in itself, for the list in which one is chosen. */
export const languageName: Record<Language, string> = { en: 'English', ja: '日本語', 'zh-Hans': '简体中文', 'zh-Hant': '繁體中文', ko: '한국어' }

type Messages = Readonly<Record<string, string>>
const load: Record<Language, () => Promise<{ default: Messages }>> = {
  en: () => import('./en'), ja: () => import('./ja'), 'zh-Hans': () => import('./zh-Hans'), 'zh-Hant': () => import('./zh-Hant'), ko: () => import('./ko'),
}

interface Spoken { language: Language; messages: Messages }
const spoken = new Store<Spoken>({ language: 'en', messages: {} })
const formats = new Map<string, IntlMessageFormat>()

/** The first of the wanted tags that the console speaks, else English. */
export function bestLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const { language, script } = new Intl.Locale(tag).maximize()
    const id = language === 'zh' ? (script === 'Hant' ? 'zh-Hant' : 'zh-Hans') : language
    const known = languages.find((l) => l === id)
    if (known) return known
  }
  return 'en'
}

/** Fetches a language and speaks it from then on. */
export async function speak(language: Language): Promise<void> {
  const { default: messages } = await load[language]()
  formats.clear()
  document.documentElement.lang = language
  spoken.set({ language, messages })
}

/** The language spoken now, for Intl. */
export const currentLanguage = (): Language => spoken.get().language

export type Values = Record<string, string | number | boolean | Date>
export type RichValues = Record<string, string | number | ReactNode | ((inside: ReactNode[]) => ReactNode)>

function format(key: string): IntlMessageFormat {
  let f = formats.get(key)
  if (!f) {
    const { language, messages } = spoken.get()
    // A key that there is not shows itself: it is noticed and hides nothing.
    f = new IntlMessageFormat(messages[key] ?? `'${key}'`, language)
    formats.set(key, f)
  }
  return f
}

/** The text of a key in the language spoken now. Of use outside components; in them take useText. */
export function text(key: TextKey, values?: Values): string {
  return String(format(key).format(values as Record<string, string>))
}

/** As text, with elements: `<code>x</code>` in the message calls values.code. */
export function rich(key: TextKey, values: RichValues): ReactNode {
  const parts = format(key).format<ReactNode>(values as never)
  return Array.isArray(parts) ? parts.map((p, i) => (typeof p === 'object' ? <span key={i}>{p}</span> : p)) : parts
}

/** Whether there is a text of that name, for ids that come from the gateway. */
export const hasText = (key: string): key is TextKey => key in spoken.get().messages

/** The texts, followed: a component that uses them is drawn anew in another language. */
export function useText(): typeof text {
  useStore(spoken)
  return text
}

export function useLanguage(): Language {
  return useStore(spoken).language
}
