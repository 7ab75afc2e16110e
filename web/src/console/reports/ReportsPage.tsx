import { useState } from 'react'
import { useText, useLanguage } from '../../i18n/text'
import { address } from '../../lib/http'
import { useApi } from '../../lib/query'
import { can } from '../../lib/roles'
import { day, plain } from '../../lib/words'
import { DownloadIcon } from '../../ui/icons'
import { Card, Failed, Loaded, Loading, Page } from '../../ui/Page'
import { Pager, usePages } from '../../ui/Pager'
import { WithApp } from '../../ui/OfApp'
import { Table } from '../../ui/Table'
import { Time } from '../../ui/Time'
import type { PageProps } from '../screens'
import { Preview, type Report } from './Preview'
import { Schedules } from './Schedules'
import '../../styles/stats.css'

const kinds = ['operations', 'transparency'] as const
type Kind = (typeof kinds)[number]

/** ReportsPage previews a report, prints it, has it made on schedule and keeps those that were. */
export default function ReportsPage({ me }: PageProps) {
  const t = useText()
  return (
    <Page title={t('reports.title')}>
      <WithApp>{(app) => <><Make app={app} /><div className="cards"><Schedules app={app} may={can(me.role, 'policy.edit')} /><Runs app={app} /></div></>}</WithApp>
    </Page>
  )
}

const isoDay = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10)
const zoneHere = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'

/** The languages that the report's own page knows. */
function usePageLanguage(): 'en' | 'ja' | 'zh' | 'ko' {
  const l = useLanguage()
  return l === 'ja' || l === 'ko' ? l : l.startsWith('zh') ? 'zh' : 'en'
}

function Make({ app }: { app: string }) {
  const t = useText()
  const lang = usePageLanguage()
  const [kind, setKind] = useState<Kind>('operations')
  const [from, setFrom] = useState(() => isoDay(7))
  const [to, setTo] = useState(() => isoDay(-1))
  const [zone, setZone] = useState(zoneHere)
  const query = { app_id: app, from, to, time_zone: zone }
  const ready = from !== '' && to !== '' && from < to
  const report = useApi(`/reports/${kind}`, { query }, { enabled: ready, keep: true })
  const file = (format: 'html' | 'csv') => `../api/v1/${address(`/reports/${kind}`, {}, { ...query, format, lang })}`
  return (
    <Card title={t('reports.preview')} actions={ready && <>
      <a className="button small" href={file('html')} target="_blank" rel="noreferrer">{t('reports.print')}</a>
      <a className="button small" href={file('csv')} download={`${kind}-${from}-${to}.csv`}><DownloadIcon size={14} />CSV</a>
    </>}>
      <div className="fields">
        <label className="input input-wide"><span>{t('reports.kind')}</span><select value={kind} onChange={(e) => setKind(e.target.value as Kind)}>{kinds.map((k) => <option key={k} value={k}>{t(`reports.kind_${k}`)}</option>)}</select></label>
        <label className="input"><span>{t('reports.from')}</span><input type="date" value={from} max={to} onChange={(e) => setFrom(e.target.value)} /></label>
        <label className="input"><span>{t('reports.to')}</span><input type="date" value={to} min={from} onChange={(e) => setTo(e.target.value)} /></label>
        <label className="input"><span>{t('reports.zone')}</span><input value={zone} spellCheck={false} onChange={(e) => setZone(e.target.value)} /></label>
      </div>
      {!ready && <p role="alert" className="field-error">{t('reports.order')}</p>}
      <Loaded of={report}>{(r) => <Preview of={r as Report} />}</Loaded>
    </Card>
  )
}

function Runs({ app }: { app: string }) {
  const t = useText()
  const lang = usePageLanguage()
  const runs = usePages('/reports/runs', { query: { app_id: app, limit: 50 } }, (a) => a.reports)
  const file = (id: string, format: 'html' | 'csv') => `../api/v1/${address('/reports/runs/{id}', { id }, { app_id: app, format, lang })}`
  return (
    <Card title={t('reports.made')}>
      {!runs.rows ? (runs.error ? <Failed error={runs.error} onRetry={() => void runs.refetch()} /> : <Loading />) : (
        <Table label={t('reports.made')} rows={runs.rows} rowKey={(r) => r.report_id} empty={<p className="muted">{t('reports.none_made')}</p>} columns={[
          { key: 'kind', head: t('reports.kind'), cell: (r) => t(`reports.kind_${r.kind}`) },
          { key: 'period', head: t('reports.period'), cell: (r) => `${plain(r.period)} · ${day(r.from)}`, sort: (r) => r.from },
          { key: 'at', head: t('reports.made_at'), cell: (r) => <Time at={r.created_at} />, sort: (r) => r.created_at },
          { key: 'open', head: t('reports.file'), cell: (r) => <span className="row-of"><a href={file(r.report_id, 'html')} target="_blank" rel="noreferrer">{t('reports.open')}</a><a href={file(r.report_id, 'csv')} download={`${r.kind}-${r.report_id}.csv`}>CSV</a></span> },
        ]} />
      )}
      <Pager of={runs} />
    </Card>
  )
}
