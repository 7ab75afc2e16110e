import { useText, type TextKey } from '../../i18n/text'
import { acoustic } from '../../lib/acoustic'
import { at, faultsAt, leaves, pointer, type Body } from '../../lib/layer'
import { plain } from '../../lib/words'
import { FaultsAt } from '../../ui/Faults'
import { Card } from '../../ui/Page'
import { Text } from './General'
import type { PolicyExplanation } from './parts'
import type { Draft } from './useDraft'

/** Acoustic are the thresholds of what is heard without words: when it counts. What is done about it is its category's. */
export function Acoustic({ d, resolved }: { d: Draft; resolved: PolicyExplanation | undefined }) {
  const t = useText()
  const inherited = (where: string) => resolved?.settings.find((s) => s.pointer === where)
  return (
    <Card title={t('policies.acoustic')}>
      <p className="muted small">{t('policies.acoustic_text')}</p>
      <FaultsAt of={d.faults.filter((f) => f.pointer === '/acoustic')} />
      <ul className="sounds">
        {Object.entries(acoustic).map(([kind, keys]) => {
          const where = pointer('acoustic', kind)
          const own = leaves((at(d.body, where) ?? {}) as Body).length
          return (
            <li key={kind}>
              <details open={faultsAt(d.faults, where).length > 0 || undefined}>
                <summary>{plain(kind)}{own > 0 && <span className="chip chip-hold">{t('policies.own_values', { n: own })}</span>}</summary>
                <div className="fields wide-fields">
                  {keys.map((key) => {
                    const below = inherited(`${where}/${key}`)
                    return <Text key={key} d={d} where={`${where}/${key}`} number label={t(`policies.sound_${key}` as TextKey)} hint={below ? t('policies.inherit_value', { value: String(below.value) }) : t('policies.as_configured')} />
                  })}
                </div>
              </details>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
