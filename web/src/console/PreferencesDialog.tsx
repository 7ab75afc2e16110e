import { useEffect, useState } from 'react'
import { Button, Switch } from 'react-aria-components'
import { languageName, languages, useText, type Language } from '../i18n/text'
import { prefs, setPrefs, type Theme } from '../lib/prefs'
import { useStore } from '../lib/store'
import { Window } from '../ui/ActDialog'
import { actionNames, actions, clashes, keyCap, keyOf, type Action, type ActionName } from './actions'
import { placeOf } from './route'
import { pressed } from './shortcuts'

const themes: Theme[] = ['system', 'light', 'dark']
const keyGroups: Action['group'][] = ['anywhere', 'list', 'feed', 'review']

/** PreferencesDialog is what a person sets for this browser: language, theme, keys; it is the help for the keys too. */
export function PreferencesDialog({ open, onOpen }: { open: boolean; onOpen: (open: boolean) => void }) {
  const t = useText()
  const { theme, language, shortcuts, keys } = useStore(prefs)
  return (
    <Window open={open} onOpen={onOpen} title={t('shell.preferences')} wide>
      <div className="prefs">
        <label className="input"><span>{t('shell.language')}</span>
          <select value={language} onChange={(e) => setPrefs({ language: e.target.value as Language | 'system' })}>
            <option value="system">{t('shell.as_system')}</option>
            {languages.map((l) => <option key={l} value={l} lang={l}>{languageName[l]}</option>)}
          </select></label>
        <label className="input"><span>{t('shell.theme')}</span>
          <select value={theme} onChange={(e) => setPrefs({ theme: e.target.value as Theme })}>
            {themes.map((x) => <option key={x} value={x}>{t(x === 'system' ? 'shell.as_system' : `shell.theme_${x}`)}</option>)}
          </select></label>
      </div>
      <Switch className="switch" isSelected={shortcuts} onChange={(on) => setPrefs({ shortcuts: on })}>
        <span className="switch-track" aria-hidden="true"><span className="switch-thumb" /></span>
        {t('shell.single_keys')}
      </Switch>
      <p className="muted small">{t('shell.keys_rest')} <a href={placeOf(['settings', 'guide'])} onClick={() => onOpen(false)}>{t('settings.guide')}</a></p>
      <div className={shortcuts ? 'key-groups' : 'key-groups keys-off'}>
        {keyGroups.map((g) => {
          const those = actionNames.filter((n) => (actions[n] as Action).group === g)
          return those.length > 0 && (
            <section key={g} aria-label={t(`shell.keys_${g}`)}><h3>{t(`shell.keys_${g}`)}</h3>
              <ul className="keys">{those.map((n) => <KeyRow key={`${n} ${keys[n] ?? ''}`} name={n} />)}</ul></section>
          )
        })}
      </div>
      {Object.keys(keys).length > 0 && <Button className="button" onPress={() => setPrefs({ keys: {} })}>{t('shell.keys_reset')}</Button>}
    </Window>
  )
}

/** One action and its key; pressed, it waits for the new key. */
function KeyRow({ name }: { name: ActionName }) {
  const t = useText()
  const [asking, setAsking] = useState(false)
  const [said, setSaid] = useState('')
  useEffect(() => {
    if (!asking) return
    const onKey = (e: KeyboardEvent) => {
      const key = pressed(e)
      if (!key || key === 'Tab' || key === 'Shift') return
      e.preventDefault()
      e.stopPropagation()
      setAsking(false)
      if (key === 'Escape' && name !== 'close') return
      const taken = clashes(name, key)
      if (taken.length) return setSaid(t('shell.key_taken', { key: keyCap(key), action: t(actions[taken[0] as ActionName].label) }))
      const { [name]: _old, ...others } = prefs.get().keys
      setPrefs({ keys: key === actions[name].key ? others : { ...others, [name]: key } })
    }
    window.addEventListener('keydown', onKey, true)
    return () => window.removeEventListener('keydown', onKey, true)
  }, [asking, name, t])
  const label = t(actions[name].label)
  return (
    <li>
      <Button className="key-button" aria-label={t('shell.key_change', { action: label, key: keyCap(keyOf(name)) })} onPress={() => { setSaid(''); setAsking(true) }} onBlur={() => setAsking(false)}>
        <kbd>{asking ? t('shell.key_press') : keyCap(keyOf(name))}</kbd>
      </Button>
      <span>{label}</span>
      <span role="status" className="field-error">{said}</span>
    </li>
  )
}
