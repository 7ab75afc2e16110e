import { useText } from '../../i18n/text'
import { useApi } from '../../lib/query'
import { categoryName, plain } from '../../lib/words'
import { Card } from '../../ui/Page'
import { CaseLink, PlayerLink } from '../../ui/PlayerLink'
import { Time } from '../../ui/Time'
import type { CaseFile } from './calls'

/** PlayerCard is who it is about: standing, what holds against them, what was decided before. */
export function PlayerCard({ file }: { file: CaseFile }) {
  const t = useText()
  const q = useApi('/players/{id}', { path: { id: file.player_id }, query: { app_id: file.app_id } }, { enabled: file.player_id !== '', keep: false })
  const p = q.data
  if (!file.player_id) return <Card title={t('review.player')}><p className="muted">{t('review.no_player')}</p></Card>
  const decided = file.earlier.filter((e) => e.state === 'closed')
  return (
    <Card title={t('review.player')}>
      <p className="player-name"><PlayerLink app={file.app_id} id={file.player_id} /> <span className="muted small"><bdi>{file.app_id}</bdi></span></p>
      {p && (
        <dl className="facts">
          <div><dt>{t('review.trust')}</dt><dd>{plain(p.standing.trust)}{p.standing.pinned && <span className="muted"> · {t('review.pinned', { by: p.standing.pinned.by })}</span>}</dd></div>
          <div><dt>{t('review.strikes')}</dt><dd>{p.standing.strikes}</dd></div>
          {p.segment && <div><dt>{t('review.segment')}</dt><dd>{plain(p.segment)}</dd></div>}
          <div><dt>{t('review.flagged')}</dt><dd>{t('review.flagged_of', { flagged: p.counts.flagged, cases: p.counts.cases })}</dd></div>
          {p.profile?.account_created_at && <div><dt>{t('review.since')}</dt><dd><Time at={p.profile.account_created_at} rel /></dd></div>}
        </dl>
      )}
      <h3>{t('review.penalties', { n: file.penalties.length })}</h3>
      {file.penalties.length > 0 && <ul className="past">{file.penalties.slice(0, 6).map((x) => (
        <li key={x.penalty_id}><span className={`chip ${x.state === 'active' ? 'chip-block' : 'chip-seen'}`}>{plain(x.kind)}</span> <span className="muted small">{plain(x.state)} · <Time at={x.created_at} rel /></span><br /><span className="small"><bdi>{x.reason}</bdi></span></li>
      ))}</ul>}
      <h3>{t('review.earlier', { n: decided.length })}</h3>
      {decided.length > 0 && <ul className="past">{decided.slice(0, 8).map((e) => (
        <li key={e.case_id}>
          <span className={`chip ${e.decision === 'reject' ? 'chip-block' : 'chip-pass'}`}>{t(e.decision === 'reject' ? 'review.rejected' : 'review.approved')}</span>{' '}
          <CaseLink id={e.case_id}>{e.category ? categoryName(e.category) : plain(e.kind ?? 'content')}</CaseLink> <span className="muted small"><Time at={e.decided_at ?? e.updated_at ?? e.created_at} rel /></span>
          {e.reason && <><br /><span className="small"><bdi>{e.reason}</bdi></span></>}
        </li>
      ))}</ul>}
    </Card>
  )
}
