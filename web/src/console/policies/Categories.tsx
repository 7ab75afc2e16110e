import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText, type TextKey } from '../../i18n/text'
import { at, faultsAt, pointer, put } from '../../lib/layer'
import { categoryName, plain } from '../../lib/words'
import { FaultsAt } from '../../ui/Faults'
import { Fold } from '../../ui/Fold'
import { Card, Failed, Loading } from '../../ui/Page'
import { Text } from './General'
import type { PolicyExplanation } from './parts'
import type { Draft } from './useDraft'

interface Props { d: Draft; layer: string; resolved: PolicyExplanation | undefined; error: unknown; onRetry: () => void; mandatory: boolean }
type Rule = PolicyExplanation['rules'][number]

/** Categories are the sliders: how strict each is and what is done. What is set here stands out; the rest is inherited. */
export function Categories({ d, resolved, error, onRetry, mandatory }: Props) {
  const t = useText()
  const [open, setOpen] = useState<readonly string[]>([])
  if (!resolved) return <Card title={t('policies.categories')}>{error ? <Failed error={error} onRetry={onRetry} /> : <Loading />}</Card>
  const whole = resolved.rules.filter((r) => !r.sub_label)
  return (
    <Card title={t('policies.categories')}>
      <p className="muted small">{t('policies.categories_text')}</p>
      <ul className="cats-edit">
        {whole.map((r) => {
          const subs = resolved.rules.filter((s) => s.category === r.category && s.sub_label)
          const shown = open.includes(r.category)
          const where = pointer('categories', r.category)
          const own = Object.keys((at(d.body, `${where}/sub_labels`) as object | undefined) ?? {}).length
          return (
            <li key={r.category}>
              <Line d={d} rule={r} where={where} name={categoryName(r.category)} mandatory={mandatory && shown}
                more={<Fold open={shown} onOpen={(on) => setOpen(on ? [...open, r.category] : open.filter((x) => x !== r.category))}>{t('policies.sub_labels', { n: subs.length, own })}<span className="sr-only">: {categoryName(r.category)}</span></Fold>} />
              {shown && <div className="cats-told"><Text d={d} where={`${where}/reason`} label={t('policies.told_of')} most={300} /></div>}
              {shown && subs.length > 0 && <ul className="cats-sub">{subs.map((s) => <li key={s.sub_label}><Line d={d} rule={s} where={`${where}${pointer('sub_labels', s.sub_label ?? '')}`} name={plain(s.sub_label ?? '')} within={categoryName(r.category)} mandatory={mandatory} /></li>)}</ul>}
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

const actions = ['block', 'review', 'warn', 'mask'] as const

function Line({ d, rule, where, name, within, mandatory, more }: { d: Draft; rule: Rule; where: string; name: string; within?: string; mandatory: boolean; more?: React.ReactNode }) {
  const t = useText()
  const wrong = faultsAt(d.faults, where).filter((f) => within !== undefined || !f.pointer.startsWith(`${where}/sub_labels`))
  const strict = at(d.body, `${where}/strictness`) as number | undefined
  const action = at(d.body, `${where}/action`) as string | undefined
  const enabled = at(d.body, `${where}/enabled`) as boolean | undefined
  const must = at(d.body, `${where}/mandatory`) as boolean | undefined
  const reason = at(d.body, `${where}/reason`)
  const set = (what: string, v: string | number | boolean | undefined) => d.set(put(d.body, `${where}/${what}`, v))
  const level = strict ?? rule.strictness
  const of = within ? `${within}: ${name}` : name
  const isSet = [strict, action, enabled, must, reason].some((v) => v !== undefined)
  return (
    <div className={isSet ? 'cat-line cat-set' : 'cat-line'} role="group" aria-label={of}>
      <span className="cat-name">{name}{isSet && <span className="sr-only"> ({t('policies.set_here')})</span>}{rule.mandatory && <span className="chip chip-block">{t('policies.mandatory')}</span>}{more}</span>
      <label className="cat-on"><span className="sr-only">{of}: {t('policies.enabled')}</span>
        <select value={enabled === undefined ? '' : String(enabled)} onChange={(e) => set('enabled', e.target.value === '' ? undefined : e.target.value === 'true')}>
          <option value="">{t('policies.inherit_value', { value: t(rule.enabled ? 'policies.on' : 'policies.off') })}</option>
          <option value="true">{t('policies.on')}</option><option value="false">{t('policies.off')}</option>
        </select></label>
      <span className="cat-strict">
        <input type="range" min={1} max={5} step={1} value={level} aria-label={`${of}: ${t('policies.strictness')}`} aria-valuetext={t(`policies.strict_${level}` as TextKey)} onChange={(e) => set('strictness', Number(e.target.value))} />
        <span className="cat-level">{t(`policies.strict_${level}` as TextKey)}</span>
        {strict !== undefined && <Button className="link-button small" onPress={() => set('strictness', undefined)}>{t('policies.inherit')}<span className="sr-only">: {of}</span></Button>}
      </span>
      <label className="cat-act"><span className="sr-only">{of}: {t('policies.action')}</span>
        <select value={action ?? ''} onChange={(e) => set('action', e.target.value || undefined)}>
          <option value="">{t('policies.inherit_value', { value: t(`policies.act_${rule.action}` as TextKey) })}</option>
          {actions.map((a) => <option key={a} value={a}>{t(`policies.act_${a}`)}</option>)}
        </select></label>
      {mandatory && <label className="check small"><input type="checkbox" checked={must ?? false} onChange={(e) => set('mandatory', e.target.checked || undefined)} /><span>{t('policies.mandatory')}<span className="sr-only">: {of}</span></span></label>}
      <FaultsAt of={wrong} />
    </div>
  )
}
