import { rich, useText, type TextKey } from '../../i18n/text'
import { Card } from '../../ui/Page'
import { keyCap, keyOf, type ActionName } from '../actions'
import { placeOf } from '../route'

const keys: Partial<Record<string, ActionName>> = { help: 'help', reveal: 'reveal', approve: 'approve', reject: 'reject', submit: 'submit', undo: 'undo', escalate: 'escalate', hold: 'putAside', skip: 'skip', release: 'release' }
const items: readonly { key: string; href?: string }[] = [
  { key: 'feed', href: placeOf(['feed']) }, { key: 'review', href: placeOf(['review']) }, { key: 'decide' }, { key: 'undo' }, { key: 'unsure' }, { key: 'rule' },
  { key: 'care', href: placeOf(['settings', 'wellness']) }, { key: 'appeals', href: placeOf(['appeals']) }, { key: 'player', href: placeOf(['players']) },
]

/** Guide is what somebody who decides cases needs to know on the first day, with the keys as they are now. */
export function Guide() {
  const t = useText()
  const caps = Object.fromEntries(Object.entries(keys).map(([name, action]) => [name, <kbd key={name}>{keyCap(keyOf(action as ActionName))}</kbd>]))
  return (
    <Card title={t('settings.guide')}>
      <p>{rich('settings.guide_text', caps)}</p>
      <dl className="guide">
        {items.map(({ key, href }) => {
          const name = t(`settings.guide_${key}` as TextKey)
          return <div key={key}><dt>{href ? <a href={href}>{name}</a> : name}</dt><dd>{rich(`settings.guide_${key}_text` as TextKey, caps)}</dd></div>
        })}
      </dl>
    </Card>
  )
}
