import { newId } from '../../lib/id'
import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { http } from '../../lib/http'
import { useApi, useChange } from '../../lib/query'
import { can } from '../../lib/roles'
import { categories, type Moderator } from '../../lib/wire'
import { categoryName, plain } from '../../lib/words'
import { ActDialog } from '../../ui/ActDialog'
import { toast } from '../../ui/Toast'

export const kinds = ['warn', 'mute_text', 'mute_voice', 'trade_lock', 'suspend', 'ban'] as const
type Kind = (typeof kinds)[number]
const hours = [1, 6, 24, 72, 168, 720, 2160, 8760]

interface Props { app: string; id: string; me: Moderator }

/** Acts is what can be done to a player: a penalty, which can be taken back at once, and erasing, which cannot. */
export function Acts({ app, id, me }: Props) {
  const t = useText()
  const [open, setOpen] = useState<'' | 'penalty' | 'erase'>('')
  return (
    <>
      <a className="button" href={`../api/v1/players/${encodeURIComponent(id)}/export?app_id=${encodeURIComponent(app)}`} download>{t('player.export')}</a>
      {can(me.role, 'players.erase') && <Button className="button danger" onPress={() => setOpen('erase')}>{t('player.erase')}</Button>}
      <Button className="button primary" onPress={() => setOpen('penalty')}>{t('player.give')}</Button>
      <GiveDialog app={app} id={id} open={open === 'penalty'} onOpen={(on) => setOpen(on ? 'penalty' : '')} />
      <EraseDialog app={app} id={id} open={open === 'erase'} onOpen={(on) => setOpen(on ? 'erase' : '')} />
    </>
  )
}

interface Dialog { app: string; id: string; open: boolean; onOpen: (open: boolean) => void }

function GiveDialog({ app, id, open, onOpen }: Dialog) {
  const t = useText()
  const [kind, setKind] = useState<Kind>('warn')
  const [time, setTime] = useState(24)
  const [category, setCategory] = useState('')
  const timed = kind !== 'warn' && kind !== 'ban'
  const give = useChange((reason: string) => http.post('/players/{id}/penalties', {
    path: { id }, query: { app_id: app }, headers: { 'Idempotency-Key': newId() },
    body: { kind, reason, ...(timed && time ? { duration_hours: time } : {}), ...(category ? { category } : {}) },
  }), ['/players', '/penalties', '/economy'])
  const lift = useChange((penalty: string) => http.delete('/players/{id}/penalties/{penalty_id}', { path: { id, penalty_id: penalty }, query: { app_id: app }, body: { reason: t('player.undone_reason') } }), ['/players', '/penalties', '/economy'])
  const run = async (reason: string) => {
    const given = await give.mutateAsync(reason)
    toast(t('player.given', { kind: plain(kind), id }), () => lift.mutateAsync(given.penalty_id))
  }
  return (
    <ActDialog open={open} onOpen={onOpen} title={t('player.give_to', { id })} confirm={t('player.give')} reason="label" danger={kind === 'ban' || kind === 'suspend'} run={run}>
      <label className="input"><span>{t('player.kind')}</span><select value={kind} onChange={(e) => { setKind(e.target.value as Kind); if (e.target.value === 'suspend' && !time) setTime(24) }}>{kinds.map((k) => <option key={k} value={k}>{plain(k)}</option>)}</select></label>
      {timed && <label className="input"><span>{t('player.how_long')}</span><select value={time} onChange={(e) => setTime(Number(e.target.value))}>
        {hours.map((h) => <option key={h} value={h}>{h < 72 ? t('player.hours', { n: h }) : t('player.days', { n: h / 24 })}</option>)}
        {kind !== 'suspend' && <option value={0}>{t('player.for_good')}</option>}
      </select></label>}
      <label className="input"><span>{t('player.category')}</span><select value={category} onChange={(e) => setCategory(e.target.value)}><option value="">{t('player.no_category')}</option>{categories.map((c) => <option key={c} value={c}>{categoryName(c)}</option>)}</select></label>
      <p className="muted small">{t(`player.what_${kind}`)}</p>
    </ActDialog>
  )
}

function EraseDialog({ app, id, open, onOpen }: Dialog) {
  const t = useText()
  const [erasure, setErasure] = useState('')
  const erase = useChange(() => http.delete('/players/{id}', { path: { id }, query: { app_id: app } }), ['/players', '/evidence', '/economy'])
  return (
    <>
      <ActDialog open={open} onOpen={onOpen} title={t('player.erase_title', { id })} confirm={t('player.erase')} danger reason="none" typed={id}
        run={async () => setErasure((await erase.mutateAsync(undefined)).erasure_id)}>
        <p>{t('player.erase_text')}</p>
      </ActDialog>
      {erasure && <Progress app={app} erasure={erasure} />}
    </>
  )
}

/** How far an erasure has come, asked for until it is done. */
function Progress({ app, erasure }: { app: string; erasure: string }) {
  const t = useText()
  const q = useApi('/erasures/{id}', { path: { id: erasure }, query: { app_id: app } }, { every: 2000 })
  const e = q.data
  if (!e) return <span role="status" className="muted">{t('player.erasing')}</span>
  const records = Object.values(e.erased).reduce((a, b) => a + b, 0)
  return <span role="status" className="muted small">{e.status === 'done' ? t('player.erased', { records, held: e.held, bans: e.bans_kept + e.penalties_kept }) : t('player.erasing')}</span>
}
