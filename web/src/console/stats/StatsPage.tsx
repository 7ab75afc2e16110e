import { useMemo, useState } from 'react'
import { useText } from '../../i18n/text'
import { useApi } from '../../lib/query'
import { categoryName, dayTime, fineShare, fullTime, millis, number, plain } from '../../lib/words'
import { Bars, Chart, type ChartMark } from '../../ui/Chart'
import { Card, Loaded, Page } from '../../ui/Page'
import { WithApp } from '../../ui/OfApp'
import { Table } from '../../ui/Table'
import { replaceRoute } from '../route'
import type { PageProps } from '../screens'
import { Change, Tiles } from './Tiles'
import { beside, column, periodOf, spans, value, type Period, type Row } from './period'
import '../../styles/stats.css'

interface Of { app: string; p: Period }

/** StatsPage is how much there was, of what, how fast, how right, against the period before. */
export default function StatsPage({ route }: PageProps) {
  const t = useText()
  const asked = new URLSearchParams(route.query)
  const days = Number(asked.get('days') ?? 7)
  const [now] = useState(() => Date.now())
  const p = useMemo(() => periodOf(days, now), [days, now])
  return (
    <Page title={t('stats.title')} actions={
      <div className="segmented" role="group" aria-label={t('stats.period')}>
        {spans.map((s) => <button key={s} type="button" className="segment" aria-pressed={p.days === s} data-selected={p.days === s || undefined} onClick={() => replaceRoute('/stats', `days=${s}`)}>{t('stats.days', { n: s })}</button>)}
      </div>
    } lead={<span>{t('stats.from_to', { from: fullTime(p.from), to: fullTime(p.to) })}</span>}>
      <WithApp>{(app) => <All app={app} p={p} />}</WithApp>
    </Page>
  )
}

function All({ app, p }: Of) {
  return (
    <>
      <Volume app={app} p={p} />
      <div className="cards"><Categories app={app} p={p} /><Languages app={app} p={p} /></div>
      <Latency app={app} p={p} />
      <div className="cards"><Accuracy app={app} p={p} /><Queue app={app} p={p} /></div>
      <Trends app={app} p={p} />
    </>
  )
}

const query = ({ app, p }: Of) => ({ app_id: app, from: p.from, to: p.to })
const rowsOf = (d: { rows?: Row[] | undefined }) => d.rows ?? []

/** The moments at which something began to be out of the ordinary. */
function useMarks(of: Of): ChartMark[] {
  const t = useText()
  const trends = useApi('/stats/trends', { query: query(of) })
  return useMemo(() => (trends.data?.anomalies ?? []).map((a) => ({ at: String(a['began_at']), text: t('stats.anomaly', { category: categoryName(String(a['category'])), ratio: Number(a['ratio'] ?? 0) }) })), [trends.data, t])
}

function Volume(of: Of) {
  const t = useText()
  const total = useApi('/stats/volume', { query: query(of) })
  const before = useApi('/stats/volume', { query: { ...query(of), from: of.p.before, to: of.p.from } })
  const steps = useApi('/stats/volume', { query: { ...query(of), step: of.p.step } })
  const marks = useMarks(of)
  return (
    <Card title={t('stats.volume')}>
      <Loaded of={total}>{(d) => <Tiles row={beside(rowsOf(d)[0], before.data && rowsOf(before.data)[0])} of={[
        { name: t('stats.verdicts'), key: 'verdicts', format: number }, { name: t('stats.block_share'), key: 'block_share', format: fineShare }, { name: t('stats.review_share'), key: 'review_share', format: fineShare },
        { name: t('stats.masked'), key: 'mask', format: number }, { name: t('stats.degraded'), key: 'degraded', format: number },
      ]} />}</Loaded>
      <Loaded of={steps}>{(d) => {
        const rows = rowsOf(d)
        const times = rows.map((r) => String(r['at']))
        return (
          <div className="stats-pair">
            <Chart label={t('stats.verdicts_over')} over={of.p} file={`verdicts-${of.p.days}d`} times={times} marks={marks} series={[{ label: t('stats.verdicts'), values: column(rows, 'verdicts') }]} />
            <Chart label={t('stats.shares_over')} over={of.p} file={`shares-${of.p.days}d`} times={times} marks={marks} format={fineShare} series={[{ label: t('stats.block_share'), values: column(rows, 'block_share'), tone: 'block' }, { label: t('stats.review_share'), values: column(rows, 'review_share'), tone: 'review' }]} />
          </div>
        )
      }}</Loaded>
    </Card>
  )
}

function Categories(of: Of) {
  const t = useText()
  const q = useApi('/stats/categories', { query: { ...query(of), compare: 'previous' } })
  return (
    <Card title={t('stats.categories')}><Loaded of={q} isEmpty={(d) => !rowsOf(d).length} empty={<p className="muted">{t('stats.found_nothing')}</p>}>{(d) => (
      <Bars label={t('stats.by_category')} file={`categories-${of.p.days}d`} series={[{ label: t('stats.now'), tone: 'accent' }, { label: t('stats.before'), tone: 'muted' }]}
        rows={rowsOf(d).map((r) => ({ name: categoryName(String(r['category'])), values: [value(r, 'verdicts'), value(r, 'previous_verdicts')] }))} />
    )}</Loaded></Card>
  )
}

/** A language's name in the language of the console. */
function languageOf(tag: string, none: string): string {
  try {
    return tag ? (new Intl.DisplayNames(document.documentElement.lang, { type: 'language' }).of(tag) ?? tag) : none
  } catch {
    return tag // und-like or a word that is no tag
  }
}

function Languages(of: Of) {
  const t = useText()
  const q = useApi('/stats/languages', { query: { ...query(of), compare: 'previous', top: 20 } })
  return (
    <Card title={t('stats.languages')}><Loaded of={q} isEmpty={(d) => !rowsOf(d).length} empty={<p className="muted">{t('stats.none')}</p>}>{(d) => (
      <Bars label={t('stats.by_language')} file={`languages-${of.p.days}d`} series={[{ label: t('stats.now'), tone: 'accent' }, { label: t('stats.before'), tone: 'muted' }]}
        rows={rowsOf(d).map((r) => ({ name: languageOf(String(r['language'] ?? ''), t('stats.no_language')), values: [value(r, 'verdicts'), value(r, 'previous_verdicts')] }))} />
    )}</Loaded></Card>
  )
}

function Latency(of: Of) {
  const t = useText()
  const total = useApi('/stats/latency', { query: { ...query(of), compare: 'previous' } })
  const steps = useApi('/stats/latency', { query: { ...query(of), step: of.p.step, by: 'kind', kind: ['text'] } })
  const ms = (r: Row, k: string) => { const v = value(r, k); return v === null ? '–' : millis(v) }
  return (
    <Card title={t('stats.latency')}>
      <Loaded of={steps} isEmpty={(d) => !rowsOf(d).length} empty={<p className="muted">{t('stats.none')}</p>}>{(d) => { const rows = rowsOf(d); return (
        <Chart label={t('stats.latency_over')} over={of.p} file={`latency-${of.p.days}d`} times={rows.map((r) => String(r['at']))} format={millis}
          series={[{ label: 'p50', values: column(rows, 'p50_ms') }, { label: 'p90', values: column(rows, 'p90_ms'), tone: 'hold' }, { label: 'p99', values: column(rows, 'p99_ms'), tone: 'review' }]} />
      ) }}</Loaded>
      <Loaded of={total} isEmpty={(d) => !rowsOf(d).length} empty={null}>{(d) => (
        <Table label={t('stats.latency')} rows={rowsOf(d)} rowKey={(r) => `${r['kind']} ${r['way']}`} columns={[
          { key: 'kind', head: t('stats.kind'), cell: (r) => plain(String(r['kind'])), sort: (r) => String(r['kind']) }, { key: 'way', head: t('stats.way'), cell: (r) => plain(String(r['way'] || '–')) },
          { key: 'n', head: t('stats.verdicts'), num: true, cell: (r) => number(value(r, 'verdicts') ?? 0), sort: (r) => value(r, 'verdicts') ?? 0 },
          ...['p50_ms', 'p90_ms', 'p99_ms'].map((k) => ({ key: k, head: k.slice(0, 3), num: true, cell: (r: Row) => ms(r, k), sort: (r: Row) => value(r, k) ?? -1 })),
          { key: 'in', head: t('stats.within_20'), num: true, cell: (r) => { const v = value(r, 'within_20_ms'); return v === null ? '–' : fineShare(v) } },
        ]} />
      )}</Loaded>
    </Card>
  )
}

function Accuracy(of: Of) {
  const t = useText()
  const q = useApi('/stats/accuracy', { query: { ...query(of), compare: 'previous' } })
  return (
    <Card title={t('stats.accuracy')}>
      <p className="muted small">{t('stats.accuracy_text')}</p>
      <Loaded of={q}>{(d) => (
        <>
          <Tiles row={beside(d.summary, d.previous)} of={[{ name: t('stats.precision'), key: 'precision', format: fineShare }, { name: t('stats.overturned'), key: 'overturn_rate', format: fineShare }, { name: t('stats.closed'), key: 'closed', format: number }]} />
          {(d.by_category ?? []).length > 0 && <Bars label={t('stats.precision_by')} file={`precision-${of.p.days}d`} format={fineShare} series={[{ label: t('stats.precision') }]} rows={(d.by_category ?? []).map((r) => ({ name: categoryName(String(r['category'])), values: [value(r, 'precision')] }))} />}
        </>
      )}</Loaded>
    </Card>
  )
}

function Queue(of: Of) {
  const t = useText()
  const q = useApi('/stats/queue', { query: { ...query(of), step: of.p.step } })
  return (
    <Card title={t('stats.queue')}><Loaded of={q}>{(d) => { const rows = rowsOf(d); return (
      <>
        <Tiles row={d.summary} of={[{ name: t('stats.open'), key: 'open', format: number }, { name: t('stats.opened'), key: 'opened', format: number }]} />
        {rows.length > 0 && <Chart label={t('stats.closed_over')} over={of.p} file={`queue-${of.p.days}d`} kind="bars" times={rows.map((r) => String(r['at']))} series={[{ label: t('stats.closed'), values: column(rows, 'closed') }]} />}
      </>
    ) }}</Loaded></Card>
  )
}

function Trends(of: Of) {
  const t = useText()
  const q = useApi('/stats/trends', { query: query(of) })
  return (
    <Card title={t('stats.trends')}><Loaded of={q}>{(d) => (
      <>
        {(d.anomalies ?? []).length === 0 ? <p className="muted">{t('stats.no_anomalies')}</p> : (
          <Table label={t('stats.anomalies')} rows={d.anomalies ?? []} rowKey={(r) => `${r['category']} ${r['began_at']}`} columns={[
            { key: 'c', head: t('stats.category'), cell: (r) => categoryName(String(r['category'])) }, { key: 'at', head: t('stats.began'), cell: (r) => dayTime(String(r['began_at'])), sort: (r) => String(r['began_at']) },
            { key: 's', head: t('stats.share'), num: true, cell: (r) => fineShare(value(r, 'share') ?? 0) }, { key: 'u', head: t('stats.usual'), num: true, cell: (r) => fineShare(value(r, 'usual_share') ?? 0) },
            { key: 'r', head: t('stats.ratio'), num: true, cell: (r) => `${number(value(r, 'ratio') ?? 0)} ×`, sort: (r) => value(r, 'ratio') ?? 0 },
          ]} />
        )}
        <Table label={t('stats.trends')} rows={rowsOf(d)} rowKey={(r) => String(r['category'])} empty={<p className="muted">{t('stats.found_nothing')}</p>} columns={[
          { key: 'c', head: t('stats.category'), cell: (r) => categoryName(String(r['category'])), sort: (r) => categoryName(String(r['category'])) },
          { key: 'v', head: t('stats.verdicts'), num: true, cell: (r) => number(value(r, 'verdicts') ?? 0), sort: (r) => value(r, 'verdicts') ?? 0 },
          { key: 's', head: t('stats.share'), num: true, cell: (r) => fineShare(value(r, 'share') ?? 0) }, { key: 'b', head: t('stats.share_before'), num: true, cell: (r) => fineShare(value(r, 'previous_share') ?? 0) },
          { key: 'd', head: t('stats.change'), num: true, cell: (r) => <Change of={value(r, 'change')} />, sort: (r) => value(r, 'change') ?? 0 },
        ]} />
      </>
    )}</Loaded></Card>
  )
}
