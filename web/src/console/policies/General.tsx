import { useText, type TextKey } from '../../i18n/text'
import { at, faultsAt, put, type Json } from '../../lib/layer'
import { modeName, plain } from '../../lib/words'
import { FaultsAt } from '../../ui/Faults'
import { Card } from '../../ui/Page'
import type { PolicyExplanation } from './parts'
import type { Draft } from './useDraft'

interface Props { d: Draft; layer: string; name: string; resolved: PolicyExplanation | undefined }

const modes = ['real_time_block', 'deferred_review', 'pre_review', 'monitor_only']
/** What is done where an engine does not answer. */
export const fails = ['review', 'open', 'closed']
const records = ['flagged', 'sampled', 'all']

/** General are the settings of a layer that are no list. What is left empty comes from the layers below. */
export function General({ d, layer, name, resolved }: Props) {
  const t = useText()
  const region = layer === 'region' && !name.startsWith('lang:')
  return (
    <Card title={t('policies.general')}>
      <div className="fields wide-fields">
        <Text d={d} where="/description" label={t('policies.description')} />
        <Text d={d} where="/reason" label={t('policies.told')} most={300} />
        <Choice d={d} where="/mode" label={t('policies.mode')} of={modes} say={modeName} resolved={resolved} />
        <Choice d={d} where="/strictness" label={t('policies.strictness')} of={[1, 2, 3, 4, 5]} say={(n) => t(`policies.strict_${n}` as TextKey)} resolved={resolved} />
        <Choice d={d} where="/stricter" label={t('policies.stricter')} of={[-4, -3, -2, -1, 0, 1, 2, 3, 4]} say={(n) => (Number(n) > 0 ? `+${n}` : String(n))} resolved={resolved} />
        <Choice d={d} where="/fail" label={t('policies.fail')} of={fails} say={(f) => t(`policies.fail_${f}` as TextKey)} resolved={resolved} />
        <Choice d={d} where="/record" label={t('policies.record')} of={records} say={(r) => t(`policies.record_${r}` as TextKey)} resolved={resolved} />
        <Text d={d} where="/sample_rate" label={t('policies.sample_rate')} number />
        <Choice d={d} where="/approve_clear" label={t('policies.approve_clear')} of={[true, false]} say={(b) => t(b ? 'policies.yes' : 'policies.no')} resolved={resolved} />
        <Text d={d} where="/time_zone" label={t('policies.time_zone')} hint="Asia/Tokyo" />
        {layer === 'channel' && <Text d={d} where="/game_mode" label={t('policies.game_mode')} />}
        {region && <Text d={d} where="/countries" label={t('policies.countries')} list hint="jp, kr" />}
        {layer === 'global' && <Choice d={d} where="/escalate_mandatory" label={t('policies.escalate')} of={[true, false]} say={(b) => t(b ? 'policies.yes' : 'policies.no')} resolved={resolved} />}
        <Text d={d} where="/lists" label={t('policies.lists')} list />
      </div>
    </Card>
  )
}

interface FieldShape { d: Draft; where: string; label: string }

/** Text is a setting that is written. */
export function Text({ d, where, label, most = 2000, list, number, hint }: FieldShape & { most?: number; list?: boolean; number?: boolean; hint?: string }) {
  const now = at(d.body, where)
  const wrong = faultsAt(d.faults, where)
  const shown = Array.isArray(now) ? now.join(', ') : now === undefined ? '' : String(now)
  // While it is written `0.` is on its way to a number and not yet one.
  const read = (s: string, done = false): Json | undefined => {
    if (s === '') return undefined
    if (list) return s.split(',').map((x) => x.trim())
    return number && (done ? Number.isFinite(Number(s)) : String(Number(s)) === s) ? Number(s) : s
  }
  return (
    <label className="input"><span>{label}</span>
      <input value={shown} maxLength={most} placeholder={hint} inputMode={number ? 'decimal' : undefined} spellCheck={false} aria-invalid={wrong.length > 0 || undefined}
        onChange={(e) => d.set(put(d.body, where, read(e.target.value)))} onBlur={list ? (e) => d.set(put(d.body, where, clean(e.target.value))) : number && typeof now === 'string' ? (e) => d.set(put(d.body, where, read(e.target.value.trim(), true))) : undefined} />
      <FaultsAt of={wrong} />
    </label>
  )
}

const clean = (s: string): Json | undefined => { const l = s.split(',').map((x) => x.trim()).filter(Boolean); return l.length ? l : undefined }

export type Value = string | number | boolean

/** Choice is a setting out of a few; at first what is inherited. */
export function Choice<V extends Value>({ d, where, label, of, say, resolved }: FieldShape & { of: readonly V[]; say: (v: V) => string; resolved: PolicyExplanation | undefined }) {
  const t = useText()
  const now = at(d.body, where)
  const wrong = faultsAt(d.faults, where)
  return (
    <label className={now === undefined ? 'input' : 'input input-set'}><span>{label}</span>
      <select value={now === undefined ? '' : JSON.stringify(now)} aria-invalid={wrong.length > 0 || undefined} onChange={(e) => d.set(put(d.body, where, e.target.value === '' ? undefined : (JSON.parse(e.target.value) as Json)))}>
        <option value="">{inherited(t, resolved, where, say as (v: Value) => string)}</option>
        {of.map((v) => <option key={String(v)} value={JSON.stringify(v)}>{say(v)}</option>)}
      </select>
      <FaultsAt of={wrong} />
    </label>
  )
}

/** What holds where the layer says nothing, and whose word that is. */
function inherited(t: ReturnType<typeof useText>, resolved: PolicyExplanation | undefined, where: string, say: (v: Value) => string): string {
  const s = resolved?.settings.find((x) => x.pointer === where)
  if (!s) return t('policies.inherit')
  const v = s.value as Value
  return t('policies.inherit_from', { value: typeof v === 'object' ? plain(JSON.stringify(v)) : say(v), layer: s.layer })
}
