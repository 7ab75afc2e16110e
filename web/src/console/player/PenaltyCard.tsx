import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { http } from '../../lib/http'
import { useChange } from '../../lib/query'
import { can } from '../../lib/roles'
import type { Moderator } from '../../lib/wire'
import { plain } from '../../lib/words'
import { ActDialog } from '../../ui/ActDialog'
import { Card } from '../../ui/Page'
import { Time } from '../../ui/Time'
import { toast } from '../../ui/Toast'
import type { Player } from './StandingCard'

/** PenaltyCard is what holds against a player now, and lifts it. */
export function PenaltyCard({ app, player, me }: { app: string; player: Player; me: Moderator }) {
  const t = useText()
  const [lifting, setLifting] = useState<string | null>(null)
  const id = player.player_id
  const lift = useChange((v: { penalty: string; reason: string }) => http.delete('/players/{id}/penalties/{penalty_id}', { path: { id, penalty_id: v.penalty }, query: { app_id: app }, body: { reason: v.reason } }), ['/players', '/penalties', '/economy'])
  return (
    <Card title={t('player.holding')}>
      {player.penalties.length === 0 ? <p className="muted">{t('player.holding_none')}</p> : (
        <ul className="row-list">{player.penalties.map((x) => (
          <li key={x.penalty_id}>
            <span><span className="chip chip-block">{plain(x.kind)}</span> {x.expires_at ? t('player.until') : x.expires_at === null ? t('player.for_good') : ''} {x.expires_at && <Time at={x.expires_at} full />}</span>
            <span className="muted small"><bdi>{x.reason}</bdi> · {x.by} · <Time at={x.created_at} /></span>
            {can(me.role, 'players.punish') && <Button className="button small" onPress={() => setLifting(x.penalty_id)}>{t('player.lift')}<span className="sr-only"> {plain(x.kind)}</span></Button>}
          </li>
        ))}</ul>
      )}
      <ActDialog open={lifting !== null} onOpen={(on) => { if (!on) setLifting(null) }} title={t('player.lift_title')} confirm={t('player.lift')}
        run={async (reason) => { await lift.mutateAsync({ penalty: lifting as string, reason }); toast(t('player.lifted')) }}>
        <p className="muted small">{t('player.lift_text')}</p>
      </ActDialog>
    </Card>
  )
}
