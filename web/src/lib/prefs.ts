// Preferences of this browser: theme, language, keys, which groups of the rail
// are closed and which app is looked at.
import { bestLanguage, languages, type Language } from '../i18n/text'
import { Store } from './store'

export type Theme = 'system' | 'light' | 'dark'
export interface Prefs {
  theme: Theme
  language: Language | 'system'
  /** Whether single-key shortcuts work. */
  shortcuts: boolean
  /** Keys that were given to actions in place of the usual ones. */
  keys: Readonly<Record<string, string>>
  /** Groups of the rail that are closed. */
  closed: readonly string[]
  /** The app that is looked at; '' until one is chosen. */
  app: string
}

const key = 'portcullis.prefs'
const fallback: Prefs = { theme: 'system', language: 'system', shortcuts: true, keys: {}, closed: [], app: '' }

const words = (v: unknown): v is Record<string, string> => typeof v === 'object' && v !== null && Object.values(v).every((x) => typeof x === 'string')

function read(): Prefs {
  try {
    const v = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Prefs>
    return {
      theme: v.theme === 'light' || v.theme === 'dark' ? v.theme : 'system',
      language: languages.find((l) => l === v.language) ?? 'system',
      shortcuts: v.shortcuts !== false,
      keys: words(v.keys) ? v.keys : {},
      closed: Array.isArray(v.closed) ? v.closed.filter((x) => typeof x === 'string') : [],
      app: typeof v.app === 'string' ? v.app : '',
    }
  } catch {
    return fallback // storage is refused or holds something else
  }
}

export const prefs = new Store<Prefs>(read())

export function setPrefs(change: Partial<Prefs>): void {
  const next = { ...prefs.get(), ...change }
  try {
    localStorage.setItem(key, JSON.stringify(next))
  } catch {
    // kept for this page alone
  }
  prefs.set(next)
}

/** The language that a preference means. */
export const wantedLanguage = (p: Prefs): Language => (p.language === 'system' ? bestLanguage(navigator.languages) : p.language)

/** Keeps the page's data-theme right; call once before the first render. */
export function followTheme(): void {
  const dark = window.matchMedia('(prefers-color-scheme: dark)')
  const apply = () => {
    const { theme } = prefs.get()
    const shown = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme
    document.documentElement.dataset['theme'] = shown
  }
  dark.addEventListener('change', apply)
  prefs.subscribe(apply)
  apply()
}
