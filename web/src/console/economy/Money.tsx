import { useText } from '../../i18n/text'
import { sinceDays, timesOf } from '../../lib/period'
import { useApi } from '../../lib/query'
import { number, plain } from '../../lib/words'
import { Bars, Chart } from '../../ui/Chart'
import { Card, Empty, Loaded } from '../../ui/Page'
import { Table } from '../../ui/Table'
import { placeOf, replaceRoute } from '../route'
import type { components } from '../../lib/api.gen'

type Row = components['schemas']['FigureRow']
const num = (v: Row[string] | undefined) => (typeof v === 'number' ? v : 0)
const str = (v: Row[string] | undefined) => String(v ?? '')

/** Money is how much currency came into players' hands and went, over time, and where from and to. */
export function Money({ app, query }: { app: string; query: string }) {
  const t = useText()
  const asked = new URLSearchParams(query)
  const days = Math.min(90, Math.max(1, Number(asked.get('days')) || 7))
  const step = days <= 2 ? 'hour' : 'day'
  const from = sinceDays(days)
  const q = useApi('/stats/economy', { query: { app_id: app, from, step, top: 1000 } as never }, { keep: true, every: 30_000 })
  const total = useApi('/stats/economy', { query: { app_id: app, from, top: 200 } as never }, { keep: true, every: 30_000 })
  return (
    <>
      <div className="fields"><label className="input"><span>{t('economy.period')}</span><select value={days} onChange={(e) => replaceRoute(placeOf(['economy', 'money']).slice(1), `days=${e.target.value}`)}>{[1, 7, 30, 90].map((n) => <option key={n} value={n}>{t('policies.last_days', { n })}</option>)}</select></label></div>
      <Loaded of={q} isEmpty={(d) => !d.supply?.length} empty={<Empty title={t('economy.no_money')} text={t('economy.no_money_text')} />}>
        {(d) => {
          const currencies = [...new Set((d.supply ?? []).map((r) => str(r['currency'])))].filter(Boolean)
          const times = timesOf(from, step)
          return <>{currencies.map((c) => <Supply key={c} currency={c} times={times} rows={(d.flows ?? []).filter((r) => str(r['currency']) === c)} flows={(total.data?.flows ?? []).filter((r) => str(r['currency']) === c)} />)}</>
        }}
      </Loaded>
    </>
  )
}

/** A transfer between players makes and ends no money. */
const transfer = (r: Row) => str(r['action']).startsWith('transfer_')

function Supply({ currency, times, rows, flows }: { currency: string; times: readonly string[]; rows: readonly Row[]; flows: readonly Row[] }) {
  const t = useText()
  const sums = new Map(times.map((at) => [+new Date(at), { in: 0, out: 0 }]))
  for (const r of rows) {
    const s = sums.get(+new Date(str(r['at'])))
    if (s && !transfer(r)) { s.in += num(r['in']); s.out += num(r['out']) }
  }
  const series = [...sums.values()]
  let level = 0
  const net = series.map((s) => (level += s.in - s.out))
  const name = (r: Row) => `${plain(str(r['action']))}${r['source'] ? `: ${str(r['source'])}` : ''}`
  const sources = flows.filter((r) => num(r['in']) > 0 && !transfer(r)).sort((a, b) => num(b['in']) - num(a['in']))
  const sinks = flows.filter((r) => num(r['out']) > 0 && !transfer(r)).sort((a, b) => num(b['out']) - num(a['out']))
  return (
    <Card title={t('economy.supply_of', { currency })}>
      <p className="muted small">{t('economy.supply_text')}</p>
      <Chart label={t('economy.supply')} file={`supply-${currency}`} times={times} series={[
        { label: t('economy.came_in'), values: series.map((s) => s.in), tone: 'pass' },
        { label: t('economy.went_out'), values: series.map((s) => s.out), tone: 'block' },
        { label: t('economy.net_sum'), values: net, tone: 'accent' },
      ]} />
      <div className="cards">
        <Bars label={t('economy.sources')} file={`sources-${currency}`} series={[{ label: t('economy.came_in'), tone: 'pass' }]} rows={sources.slice(0, 12).map((r) => ({ name: name(r), values: [num(r['in'])] }))} />
        <Bars label={t('economy.sinks')} file={`sinks-${currency}`} series={[{ label: t('economy.went_out'), tone: 'block' }]} rows={sinks.slice(0, 12).map((r) => ({ name: name(r), values: [num(r['out'])] }))} />
      </div>
      <details><summary>{t('economy.all_flows', { n: flows.length })}</summary>
        <Table label={t('economy.all_flows', { n: flows.length })} rows={flows} rowKey={(r) => `${str(r['action'])}/${str(r['source'])}`} columns={[
          { key: 'action', head: t('economy.action'), cell: (r) => plain(str(r['action'])), sort: (r) => str(r['action']) }, { key: 'source', head: t('economy.source'), cell: (r) => <bdi>{str(r['source']) || '–'}</bdi>, sort: (r) => str(r['source']) },
          { key: 'n', head: t('economy.entries'), num: true, cell: (r) => number(num(r['entries'])), sort: (r) => num(r['entries']) }, { key: 'in', head: t('economy.came_in'), num: true, cell: (r) => number(num(r['in'])), sort: (r) => num(r['in']) }, { key: 'out', head: t('economy.went_out'), num: true, cell: (r) => number(num(r['out'])), sort: (r) => num(r['out']) },
        ]} />
      </details>
    </Card>
  )
}
