import { useState } from 'react'
import { useText } from '../../../i18n/text'
import { climb, ends, under, weigh, type LadderRules, type Step } from '../../../lib/ladder'
import { kindOf, shownName } from '../../../lib/layer'
import { categoryName, duration, number, plain } from '../../../lib/words'
import { Card } from '../../../ui/Page'
import { Table } from '../../../ui/Table'
import { allCategories } from '../../../lib/wire'

/** Climb says what strikes come to by the ladder as it is written here, one after the other. */
export function Climb({ rules }: { rules: LadderRules }) {
  const t = useText()
  const [category, setCategory] = useState('harassment')
  const [severity, setSeverity] = useState(2)
  const [layer, setLayer] = useState('')
  const layers = Object.keys(rules.layers ?? {})
  const r = under(rules, layers.includes(layer) ? [layer] : [])
  const [kind = '', label = ''] = category.split('/')
  const narrow = Object.keys(r.weights ?? {}).filter((n) => n.includes('/'))
  const gives = (s: Step) => (!ends(s.kind) ? plain(s.kind) : `${plain(s.kind)}, ${s.hours ? duration(s.hours * 3_600_000) : t('ladder.for_good')}`)
  const weight = weigh(r, kind, label, severity)
  return (
    <Card title={t('ladder.climb')}>
      <p className="muted small">{t('ladder.climb_text', { days: r.window_days || 0 })}</p>
      <div className="fields">
        <label className="input"><span>{t('policies.category')}</span><select value={category} onChange={(e) => setCategory(e.target.value)}>{[...allCategories, ...narrow].map((c) => { const [of = '', sub] = c.split('/'); return <option key={c} value={c}>{categoryName(of)}{sub && ` · ${plain(sub)}`}</option> })}</select></label>
        <label className="input"><span>{t('policies.severity')}</span><select value={severity} onChange={(e) => setSeverity(Number(e.target.value))}>{[1, 2, 3, 4].map((n) => <option key={n}>{n}</option>)}</select></label>
        {layers.length > 0 && <label className="input"><span>{t('policies.layer')}</span><select value={layer} onChange={(e) => setLayer(e.target.value)}><option value="">{t('ladder.no_layer')}</option>{layers.map((id) => { const [k = '', ...n] = id.split('/'); return <option key={id} value={id}>{t(`policies.kind_${kindOf(k, n.join('/'))}`)}: {shownName(n.join('/'))}</option> })}</select></label>}
      </div>
      {weight === 0 ? <p className="callout">{t('ladder.weighs_nothing')}</p> : (
        <Table label={t('ladder.climb')} rows={climb(r, kind, label, severity, 10)} rowKey={(x) => String(x.strike)} columns={[
          { key: 'n', head: t('ladder.strike'), cell: (x) => number(x.strike), num: true, width: '56px' },
          { key: 'w', head: t('ladder.weight'), cell: (x) => number(x.sum), num: true, width: '64px' },
          { key: 's', head: t('ladder.gives'), cell: (x) => (x.steps.length ? <span className="inline-list">{x.steps.map((s) => <span key={s.kind}>{gives(s)}</span>)}</span> : <span className="muted">{t('ladder.nothing')}</span>) },
        ]} />
      )}
    </Card>
  )
}
