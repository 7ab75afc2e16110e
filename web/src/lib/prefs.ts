// Preferences of this browser: the theme and whether single-key shortcuts work.
import { Store } from './store'

export type Theme = 'system' | 'light' | 'dark'
export interface Prefs { theme: Theme; shortcuts: boolean }

const key = 'portcullis.prefs'

function read(): Prefs {
  const fallback: Prefs = { theme: 'system', shortcuts: true }
  try {
    const v = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Prefs>
    return {
      theme: v.theme === 'light' || v.theme === 'dark' ? v.theme : 'system',
      shortcuts: v.shortcuts !== false,
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
