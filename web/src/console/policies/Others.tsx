import { useText } from '../../i18n/text'
import { hasText, text } from '../../i18n/text'
import { at, others, parts, type Json } from '../../lib/layer'
import { plain } from '../../lib/words'
import { Card } from '../../ui/Page'
import { Choice, fails, Text } from './General'
import { Value, type PolicyExplanation } from './parts'
import { flags, known, usual, words } from './settings'
import type { Draft } from './useDraft'

interface Props { d: Draft; resolved: PolicyExplanation | undefined; fields: readonly string[] }

/** Others are the settings that have no field of their own; those that this page has never heard of too, so that none is lost. */
export function Others({ d, resolved, fields }: Props) {
  const t = useText()
  const inherited = (resolved?.settings ?? []).map((s) => s.pointer)
  const places = others(d.body, inherited, known, fields)
  const groups = [...new Set(places.map((p) => parts(p)[0] ?? ''))]
  return (
    <Card title={t('policies.others')}>
      {groups.map((g) => (
        <fieldset key={g} className="others">
          <legend>{nameOf(g)}</legend>
          <div className="fields wide-fields">{places.filter((p) => parts(p)[0] === g).map((p) => <One key={p} d={d} where={p} resolved={resolved} />)}</div>
        </fieldset>
      ))}
    </Card>
  )
}

/** The name of a setting: what it is called here, else its id. */
function nameOf(id: string): string {
  const key = `policies.set_${id.replaceAll('/', '_')}`
  return hasText(key) ? text(key) : plain(id.split('/').at(-1) ?? id)
}

function One({ d, where, resolved }: { d: Draft; where: string; resolved: PolicyExplanation | undefined }) {
  const t = useText()
  const below = resolved?.settings.find((s) => s.pointer === where)?.value as Json | undefined
  const own = at(d.body, where)
  const label = nameOf(where.slice(1))
  const v = own ?? below
  const value = below === undefined ? usual[where] : String(below)
  const hint = value === undefined ? t('policies.as_configured') : value && t('policies.inherit_value', { value })
  if (where.startsWith('/fail_by_kind/')) return <Choice d={d} where={where} label={label} of={fails} say={(f) => t(`policies.fail_${f}` as 'policies.fail_open')} resolved={resolved} />
  if (typeof v === 'boolean' || (v === undefined && flags.includes(where))) return <Choice d={d} where={where} label={label} of={[true, false]} say={(b) => t(b ? 'policies.yes' : 'policies.no')} resolved={resolved} />
  if (typeof v === 'object' && v !== null) return <div className="input"><span>{label}</span><Value of={v} /><span className="muted small">{t('policies.in_json')}</span></div>
  return <Text d={d} where={where} label={label} number={typeof v === 'number' || (v === undefined && !words.includes(where))} hint={hint} />
}
