import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { ApiError } from '../../lib/api'
import { useApi } from '../../lib/query'
import { can } from '../../lib/roles'
import type { Moderator } from '../../lib/wire'
import { Factors } from '../../ui/Factors'
import { Card, Empty, Failed, Loaded, Page } from '../../ui/Page'
import { Pager, usePages } from '../../ui/Pager'
import { RiskChip } from '../../ui/RiskChip'
import { OverrideButton, OverrideNote } from '../../ui/RiskOverride'
import { placeOf, replaceRoute } from '../route'
import { BanDialog } from './BanDialog'
import { BanTable } from './Bans'
import { Ledger } from './Ledger'
import { TransferWeb } from './TransferWeb'

interface Props { me: Moderator; app: string; id: string; query: string }

/** PlayerView is a player in the economy: its risk and why, who it deals with, what it did, its bans. */
export function PlayerView({ me, app, id, query }: Props) {
  const t = useText()
  const may = can(me.role, 'players.punish')
  const risk = useApi('/economy/risk-score', { query: { app_id: app, player_id: id } }, { every: 10_000 })
  const lines = usePages('/economy/players/{id}/timeline', { path: { id }, query: { app_id: app, limit: 100 } }, (a) => a.entries)
  const [banning, setBanning] = useState<readonly string[]>([])
  const asked = new URLSearchParams(query)
  const hops = Math.min(4, Math.max(1, Number(asked.get('hops')) || 2))
  const limit = Math.min(200, Math.max(10, Number(asked.get('most')) || 60))
  const set = (k: string, v: number) => { asked.set(k, String(v)); replaceRoute(placeOf(['economy', 'player', id]).slice(1), String(asked)) }
  const web = useApi('/economy/players/{id}/web', { path: { id }, query: { app_id: app, hops, limit } }, { keep: true })
  const title = t('economy.player_title', { player: id })
  const back = <><a className="button small" href={placeOf(['players', id], { app })}>{t('economy.to_player')}</a><a className="button small" href={placeOf(['economy'])}>{t('economy.all_alerts')}</a></>
  if (risk.error instanceof ApiError && risk.error.status === 404) return <Page title={title} actions={back}><Empty title={t('economy.unknown')} text={t('economy.unknown_text')} /></Page>
  if (risk.error && !risk.data) return <Page title={title} actions={back}><Failed error={risk.error} onRetry={() => void risk.refetch()} /></Page>
  const bans = lines.data?.pages[0]?.bans ?? []
  return (
    <Page title={title} actions={<>{may && <Button className="button danger" onPress={() => setBanning([id])}>{t('economy.ban')}</Button>}{back}</>}>
      <Card title={t('economy.risk')} actions={risk.data && <OverrideButton app={app} risk={risk.data} may={may} />}>
        <Loaded of={risk}>{(r) => (<>
          <OverrideNote app={app} risk={r} may={may} />
          <div className="risk-now"><RiskChip score={r.risk_score} level={r.risk_level} /> <Factors of={r.risk_factors} app={app} most={12} />
            {r.bans.map((b) => <span key={b.ban_id} className="chip chip-block">{t('economy.banned_as', { kind: t(`economy.ban_${b.ban_type}`) })}</span>)}
          </div>
        </>)}</Loaded>
      </Card>
      <Card title={t('economy.web')}>
        <p className="muted small">{t('economy.web_text')}</p>
        <div className="fields">
          <label className="input"><span>{t('economy.hops')}</span><select value={hops} onChange={(e) => set('hops', Number(e.target.value))}>{[1, 2, 3, 4].map((n) => <option key={n}>{n}</option>)}</select></label>
          <label className="input"><span>{t('economy.players_most')}</span><select value={limit} onChange={(e) => set('most', Number(e.target.value))}>{[...new Set([20, 60, 120, 200, limit])].sort((a, b) => a - b).map((n) => <option key={n}>{n}</option>)}</select></label>
        </div>
        <Loaded of={web} isEmpty={(w) => w.players.length < 2} empty={<p className="muted">{t('economy.no_web')}</p>}>{(w) => <TransferWeb web={w} app={app} onBan={may ? setBanning : undefined} />}</Loaded>
      </Card>
      <Card title={t('economy.ledger')}>
        <Loaded of={{ ...lines, data: lines.rows }} isEmpty={(r) => r.length === 0} empty={<p className="muted">{t('economy.no_ledger')}</p>}>{(rows) => <Ledger rows={rows as never} player={id} />}</Loaded>
        <Pager of={lines} />
      </Card>
      <Card title={t('economy.tab_bans')}>{bans.length ? <BanTable me={me} app={app} rows={bans} /> : <p className="muted">{t('economy.no_bans_of')}</p>}</Card>
      <BanDialog app={app} players={banning} open={banning.length > 0} onOpen={(o) => { if (!o) setBanning([]) }} />
    </Page>
  )
}
