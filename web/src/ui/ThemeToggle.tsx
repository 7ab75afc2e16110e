import { Button } from 'react-aria-components'
import { useText } from '../i18n/text'
import { prefs, setPrefs, type Theme } from '../lib/prefs'
import { useStore } from '../lib/store'
import { MoonIcon, ScreenIcon, SunIcon } from './icons'

const order: Theme[] = ['system', 'light', 'dark']

/** ThemeToggle goes round: as the system, light, dark. */
export function ThemeToggle() {
  const t = useText()
  const { theme } = useStore(prefs)
  const Icon = theme === 'light' ? SunIcon : theme === 'dark' ? MoonIcon : ScreenIcon
  const next = order[(order.indexOf(theme) + 1) % order.length] as Theme
  return (
    <Button className="icon-button" aria-label={t('common.theme_is', { theme: t(`common.theme_${theme}`), next: t(`common.theme_${next}`) })} onPress={() => setPrefs({ theme: next })}>
      <Icon size={18} />
    </Button>
  )
}
