import { useText } from '../../i18n/text'
import { ApiError } from '../../lib/api'
import { useApi } from '../../lib/query'
import { fineNumber } from '../../lib/words'
import { Card, Failed, Loading } from '../../ui/Page'
import { CaseLink, PlayerLink } from '../../ui/PlayerLink'
import { Time } from '../../ui/Time'
import { placeOf } from '../route'
import { linksOf, type Reason } from './links'

/** LinkedCard is which other accounts are tied to a player, and by what. */
export function LinkedCard({ app, id }: { app: string; id: string }) {
  const t = useText()
  const cases = useApi('/cases', { query: { app_id: app, player_id: id, kind: 'ban_evasion', state: 'all', limit: 50 } })
  const web = useApi('/economy/players/{id}/web', { path: { id }, query: { app_id: app, hops: 1, limit: 60 } })
  // A player of whom the game logged nothing is unknown to the economy; that is no failure here.
  const unknown = web.error instanceof ApiError && web.error.code === 3001
  const error = cases.error ?? (unknown ? null : web.error)
  const pending = cases.isPending || (web.isPending && !unknown)
  const evasions = (cases.data?.cases ?? []).flatMap((c) => (c.economy?.link ? [{ case_id: c.case_id, player: c.economy.link.banned_player_id, by: c.economy.link.by, at: c.economy.link.first_seen_at }] : []))
  const links = linksOf(web.data, evasions)
  return (
    <Card title={t('player.linked')} actions={web.data && web.data.players.length > 1 && <a className="small" href={placeOf(['economy', 'player', id])}>{t('player.to_web')}</a>}>
      {error ? <Failed error={error} onRetry={() => { void cases.refetch(); void web.refetch() }} /> : pending ? <Loading /> : links.length === 0 ? <p className="muted">{t('player.linked_none')}</p> : (
        <ul className="links">{links.map((l) => (
          <li key={l.player}>
            <p><PlayerLink app={app} id={l.player} /> {l.banned && <span className="chip chip-block">{t(`economy.ban_${l.banned}`)}</span>}</p>
            <ul>{l.reasons.map((r) => <li key={`${r.kind} ${r.at}`} className="muted small"><Why of={r} /> · <Time at={r.at} /></li>)}</ul>
          </li>
        ))}</ul>
      )}
    </Card>
  )
}

function Why({ of: r }: { of: Reason }) {
  const t = useText()
  if (r.kind === 'evasion') return <>{t('player.link_evasion', { by: r.by })} <CaseLink id={r.case_id}>{t('player.to_case')}</CaseLink></>
  if ('accounts' in r) return <>{t(`player.link_${r.kind}`, { accounts: r.accounts })}</>
  return <>{t(`player.link_${r.kind}`, { days: fineNumber(r.days), times: r.times })}</>
}
