import { useText, type TextKey } from '../../i18n/text'
import { useAppId } from '../../lib/app'
import type { Answer } from '../../lib/http'
import { number, plain, share } from '../../lib/words'
import { WithApp } from '../../ui/OfApp'
import { Card, Loaded, Page } from '../../ui/Page'
import { Pager, usePages } from '../../ui/Pager'
import { CaseLink, PlayerLink } from '../../ui/PlayerLink'
import { Quoted } from '../../ui/Quoted'
import { Table, type Column } from '../../ui/Table'
import { Time } from '../../ui/Time'
import { replaceRoute } from '../route'
import type { PageProps } from '../screens'
import { Choice } from './CaseList'
import '../../styles/queues.css'

type Report = Answer<'get', '/reports'>['reports'][number]
const states = ['open', 'upheld', 'dismissed', 'all'] as const

/** PlayerReportsPage is what players say of each other. */
export default function PlayerReportsPage({ route }: PageProps) {
  const t = useText()
  const { app } = useAppId()
  const params = new URLSearchParams(route.query)
  const state = params.get('state') ?? 'open'
  const player = params.get('player') ?? ''
  const reporter = params.get('reporter') ?? ''
  const q = usePages('/reports', { query: { app_id: app, state, player_id: player, reporter_id: reporter, limit: 50 } }, (a) => a.reports, app !== '')
  const columns: Column<Report>[] = [
    { key: 'at', head: t('queues.filed'), cell: (r) => <Time at={r.created_at} rel />, sort: (r) => r.created_at, width: '120px' },
    { key: 'player', head: t('queues.player'), cell: (r) => <PlayerLink app={app} id={r.player_id} />, sort: (r) => r.player_id, width: 'minmax(100px, 1fr)' },
    { key: 'reporter', head: t('queues.reporter'), cell: (r) => <PlayerLink app={app} id={r.reporter_id} />, sort: (r) => r.reporter_id, width: 'minmax(100px, 1fr)' },
    { key: 'reason', head: t('queues.reason'), cell: (r) => <><bdi>{plain(r.reason)}</bdi>{r.detail && <> · <Quoted text={r.detail} /></>}</>, width: 'minmax(160px, 3fr)' },
    { key: 'weight', head: t('queues.weight'), cell: (r) => share(r.weight), sort: (r) => r.weight, num: true, width: '80px' },
    { key: 'times', head: t('queues.times'), cell: (r) => number(r.times), sort: (r) => r.times, num: true, width: '70px' },
    { key: 'state', head: t('queues.state'), cell: (r) => <span className={`chip ${r.state === 'open' ? 'chip-review' : r.state === 'upheld' ? 'chip-block' : 'chip-pass'}`}>{t(`queues.report_${r.state}` as TextKey)}</span>, sort: (r) => r.state, width: '110px' },
    { key: 'case', head: t('queues.case'), cell: (r) => <CaseLink id={r.case_id}>{t('queues.look')}</CaseLink>, width: '100px' },
  ]
  const put = (name: string, v: string) => {
    const next = new URLSearchParams(route.query)
    if (v) next.set(name, v)
    else next.delete(name)
    replaceRoute('/player-reports', next.toString())
  }
  return (
    <Page title={t('queues.reports')} className="queues" lead={t('queues.reports_lead')}>
      <WithApp>{() => (
        <Card title={t('queues.reports')}>
          <div className="fields">
            <Choice label={t('queues.state')} value={state} onChange={(v) => put('state', v)} options={states.map((s) => [s, s === 'all' ? t('queues.appeals_all') : t(`queues.report_${s}` as TextKey)])} />
            <label className="input"><span>{t('queues.player')}</span><input value={player} onChange={(e) => put('player', e.target.value)} /></label>
            <label className="input"><span>{t('queues.reporter')}</span><input value={reporter} onChange={(e) => put('reporter', e.target.value)} /></label>
          </div>
          <Loaded of={{ ...q, data: q.rows }}>{(rows) => <Table label={t('queues.reports')} columns={columns} rows={rows} rowKey={(r) => r.report_id} empty={<p className="muted">{t('queues.reports_none')}</p>} />}</Loaded>
          <Pager of={q} />
        </Card>
      )}</WithApp>
    </Page>
  )
}
