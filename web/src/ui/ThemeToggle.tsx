import { Button } from 'react-aria-components'
import { prefs, setPrefs, type Theme } from '../lib/prefs'
import { useStore } from '../lib/store'
import { MoonIcon, ScreenIcon, SunIcon } from './icons'

const order: Theme[] = ['system', 'light', 'dark']
const word: Record<Theme, string> = { system: 'as the system', light: 'light', dark: 'dark' }

/** ThemeToggle goes round: as the system, light, dark. */
export function ThemeToggle() {
  const { theme } = useStore(prefs)
  const Icon = theme === 'light' ? SunIcon : theme === 'dark' ? MoonIcon : ScreenIcon
  const next = order[(order.indexOf(theme) + 1) % order.length] as Theme
  return (
    <Button className="icon-button" aria-label={`Theme: ${word[theme]}. Change to ${word[next]}`} onPress={() => setPrefs({ theme: next })}>
      <Icon size={18} />
    </Button>
  )
}
