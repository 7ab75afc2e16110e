import { newId } from '../../lib/id'
import { useState } from 'react'
import { useText } from '../../i18n/text'
import { http } from '../../lib/http'
import { useChange } from '../../lib/query'
import { ActDialog } from '../../ui/ActDialog'
import { toast } from '../../ui/Toast'
import { banTypes, type BanType } from './parts'

/** BanDialog bans one player or several; with several each ban is made by itself, and what failed is told. */
export function BanDialog({ app, players, open, onOpen }: { app: string; players: readonly string[]; open: boolean; onOpen: (open: boolean) => void }) {
  const t = useText()
  const [type, setType] = useState<BanType>('temporary')
  const [hours, setHours] = useState(168)
  // One name for what is asked for, so that a try after a broken answer bans once; each ban that came about ends it.
  const [key, setKey] = useState(newId)
  const ban = useChange((v: { id: string; reason: string }) => http.post('/economy/ban', { query: { app_id: app }, headers: { 'Idempotency-Key': key }, body: { player_id: v.id, ban_type: type, reason: v.reason, ...(type === 'temporary' ? { duration_hours: hours } : {}) } }), ['/economy', '/cases', '/players'])
  const lift = (bans: { id: string; ban: string }[]) => async () => { for (const b of bans) await http.delete('/economy/ban', { query: { app_id: app }, body: { player_id: b.id, ban_id: b.ban, reason: 'undo' } as never }) }
  return (
    <ActDialog open={open} onOpen={onOpen} title={t('economy.ban_title', { n: players.length, player: players[0] ?? '' })} confirm={t('economy.ban')} danger reason="label" ready={players.length > 0}
      run={async (reason) => {
        const made: { id: string; ban: string }[] = []
        for (const id of players) made.push({ id, ban: (await ban.mutateAsync({ id, reason })).ban_id })
        setKey(newId())
        toast(t('economy.banned', { n: made.length, player: players[0] ?? '' }), lift(made))
      }}>
      {players.length > 1 && <ul className="inline-list">{players.map((p) => <li key={p}><bdi>{p}</bdi></li>)}</ul>}
      <div className="fields">
        <label className="input"><span>{t('economy.ban_type')}</span><select value={type} onChange={(e) => setType(e.target.value as BanType)}>{banTypes.map((b) => <option key={b} value={b}>{t(`economy.ban_${b}`)}</option>)}</select></label>
        {type === 'temporary' && <label className="input"><span>{t('economy.hours')}</span><input type="number" min={1} max={8760} value={hours} onChange={(e) => setHours(Math.max(1, Math.min(8760, Number(e.target.value) || 1)))} /></label>}
      </div>
      <p className="muted small">{t(`economy.ban_${type}_text`)}</p>
    </ActDialog>
  )
}
