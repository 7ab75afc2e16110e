import { useText } from '../i18n/text'
import { setPrefs } from '../lib/prefs'
import { useAppId } from '../lib/app'

/** AppChoice picks the app whose players, rules and figures are looked at; with one app there is nothing to choose. */
export function AppChoice() {
  const t = useText()
  const { app, apps } = useAppId()
  if (apps.length < 2) return null
  return (
    <label className="app-choice"><span className="sr-only">{t('shell.app')}</span>
      <select value={app} onChange={(e) => setPrefs({ app: e.target.value })}>{apps.map((a) => <option key={a} value={a}>{a}</option>)}</select>
    </label>
  )
}
