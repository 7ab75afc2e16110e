import { useText, type TextKey } from '../../i18n/text'
import { useAppId } from '../../lib/app'
import type { Answer } from '../../lib/http'
import { WithApp } from '../../ui/OfApp'
import { Card, Loaded, Page } from '../../ui/Page'
import { Pager, usePages } from '../../ui/Pager'
import { CaseLink, PlayerLink } from '../../ui/PlayerLink'
import { Quoted } from '../../ui/Quoted'
import { Table, type Column } from '../../ui/Table'
import { Time } from '../../ui/Time'
import { can } from '../../lib/roles'
import { placeOf, replaceRoute } from '../route'
import type { PageProps } from '../screens'
import { Choice } from './CaseList'
import '../../styles/queues.css'

type Appeal = Answer<'get', '/appeals'>['appeals'][number]
const states = ['open', 'upheld', 'denied', 'all'] as const

/** AppealsPage is what players say against decisions and penalties, and what became of it. */
export default function AppealsPage({ me, route }: PageProps) {
  const t = useText()
  const { app } = useAppId()
  const params = new URLSearchParams(route.query)
  const state = params.get('state') ?? 'open'
  const player = params.get('player') ?? ''
  const q = usePages('/appeals', { query: { app_id: app, state: state as 'open', player_id: player, limit: 50 } }, (a) => a.appeals, app !== '')
  const columns: Column<Appeal>[] = [
    { key: 'at', head: t('queues.filed'), cell: (r) => <Time at={r.created_at} rel />, sort: (r) => r.created_at, width: '120px' },
    { key: 'player', head: t('queues.player'), cell: (r) => <PlayerLink app={app} id={r.player_id} />, sort: (r) => r.player_id, width: 'minmax(100px, 1fr)' },
    { key: 'against', head: t('queues.against'), width: 'minmax(110px, 1fr)', cell: (r) => (r.against_case_id ? <CaseLink id={r.against_case_id}>{t('queues.against_decision')}</CaseLink> : t('queues.against_penalty')) },
    { key: 'words', head: t('queues.words'), cell: (r) => (r.words ? <Quoted text={r.words} /> : '–'), width: 'minmax(160px, 3fr)' },
    { key: 'state', head: t('queues.state'), cell: (r) => <span className={`chip ${r.state === 'open' ? 'chip-review' : r.state === 'upheld' ? 'chip-pass' : 'chip-block'}`}>{t(`queues.appeals_${r.state}` as TextKey)}</span>, sort: (r) => r.state, width: '100px' },
    { key: 'answer', head: t('queues.answer'), width: 'minmax(120px, 2fr)', cell: (r) => (r.state === 'open' ? <CaseLink id={r.case_id}>{t('queues.look')}</CaseLink> : <>{r.statement ? <bdi>{r.statement}</bdi> : '–'} <CaseLink id={r.case_id}>{t('queues.look')}</CaseLink></>) },
  ]
  const put = (v: string) => replaceRoute('/appeals', new URLSearchParams({ ...(player ? { player } : {}), state: v }).toString())
  return (
    <Page title={t('queues.appeals')} className="queues" lead={t('queues.appeals_lead')}
      actions={can(me.role, 'cases.reverse') && <a className="button primary" href={placeOf(['review'], { queue: 'appeals' })}>{t('queues.answer_next')}</a>}>
      <WithApp>{() => (
        <Card title={t('queues.appeals')} actions={<Choice label={t('queues.state')} value={state} onChange={put} options={states.map((s) => [s, t(`queues.appeals_${s}` as TextKey)])} />}>
          <Loaded of={{ ...q, data: q.rows }}>{(rows) => <Table label={t('queues.appeals')} columns={columns} rows={rows} rowKey={(r) => r.appeal_id} empty={<p className="muted">{t('queues.appeals_none')}</p>} />}</Loaded>
          <Pager of={q} />
        </Card>
      )}</WithApp>
    </Page>
  )
}
