import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import type { Answer } from '../../lib/http'
import { http } from '../../lib/http'
import { useApi, useChange } from '../../lib/query'
import { can } from '../../lib/roles'
import type { Moderator } from '../../lib/wire'
import { day, number, plain } from '../../lib/words'
import { ActDialog } from '../../ui/ActDialog'
import { Factors } from '../../ui/Factors'
import { Card } from '../../ui/Page'
import { OverrideButton, OverrideNote } from '../../ui/RiskOverride'
import { Time } from '../../ui/Time'
import { toast } from '../../ui/Toast'

export type Player = Answer<'get', '/players/{id}'>
interface Props { app: string; player: Player; me: Moderator }
const trusts = ['trusted', 'default', 'watched', 'auto'] as const
const segments = ['', 'minor', 'standard', 'trusted'] as const

/** StandingCard is how a player stands: trust, strikes, the economy's risk, what the game said. */
export function StandingCard({ app, player, me }: Props) {
  const t = useText()
  const [open, setOpen] = useState<'' | 'trust' | 'profile'>('')
  const s = player.standing
  const p = player.profile
  const may = can(me.role, 'players.punish')
  return (
    <Card title={t('player.standing')} actions={may && <>
      <Button className="button small" onPress={() => setOpen('trust')}>{t('player.set_trust')}</Button>
      <Button className="button small" onPress={() => setOpen('profile')}>{t('player.edit_profile')}</Button>
    </>}>
      <dl className="facts">
        <Fact name={t('player.trust')}><span className={`chip chip-${s.trust === 'trusted' ? 'pass' : s.trust === 'watched' ? 'review' : 'seen'}`}>{t(`player.trust_${s.trust}`)}</span>{s.pinned && <span className="muted small"> {t('player.pinned', { by: s.pinned.by, reason: s.pinned.reason })}{s.pinned.until && <> · <Time at={s.pinned.until} /></>}</span>}</Fact>
        <Fact name={t('player.strikes')}>{t('player.strikes_text', { n: player.counts.strikes, weight: s.weight, clean: s.clean_days })}</Fact>
        {s.recent && <Fact name={t('player.recent')}>{Object.entries(s.recent).map(([c, n]) => `${plain(c)} ${number(n)}`).join(', ')}</Fact>}
        <Fact name={t('player.counts')}>{t('player.counts_text', { flagged: player.counts.flagged, cases: player.counts.cases, penalties: player.counts.penalties })}</Fact>
        <Risk app={app} id={player.player_id} may={may} />
        <Fact name={t('player.profile')}>{[player.segment && t('player.segment_is', { segment: plain(player.segment) }), p.region, p.language, p.age_verified && t('player.age_verified'), p.account_created_at && t('player.since', { day: day(p.account_created_at) })].filter(Boolean).join(' · ') || t('player.no_profile')}</Fact>
      </dl>
      <TrustDialog app={app} id={player.player_id} open={open === 'trust'} onOpen={(on) => setOpen(on ? 'trust' : '')} />
      <ProfileDialog app={app} player={player} open={open === 'profile'} onOpen={(on) => setOpen(on ? 'profile' : '')} />
    </Card>
  )
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return <div><dt>{name}</dt><dd>{children}</dd></div>
}

function Risk({ app, id, may }: { app: string; id: string; may: boolean }) {
  const t = useText()
  const risk = useApi('/economy/risk-score', { query: { app_id: app, player_id: id } })
  const r = risk.data
  if (!r) return null
  return <Fact name={t('player.risk')}>{t('player.risk_of', { score: r.risk_score, level: plain(r.risk_level) })}{r.risk_factors.length > 0 && <Factors of={r.risk_factors} app={app} />}<OverrideNote app={app} risk={r} may={may} />{!r.override && <OverrideButton app={app} risk={r} may={may} />}</Fact>
}

interface Dialog { open: boolean; onOpen: (open: boolean) => void }

function TrustDialog({ app, id, ...d }: { app: string; id: string } & Dialog) {
  const t = useText()
  const [trust, setTrust] = useState<(typeof trusts)[number]>('watched')
  const set = useChange((v: { trust: (typeof trusts)[number]; reason: string }) => http.put('/players/{id}/trust', { path: { id }, query: { app_id: app }, body: v }), ['/players'])
  return (
    <ActDialog {...d} title={t('player.set_trust')} confirm={t('common.save')} reason="label" run={async (reason) => {
      await set.mutateAsync({ trust, reason })
      toast(t('player.trust_set'), trust === 'auto' ? undefined : () => set.mutateAsync({ trust: 'auto', reason: t('player.undone_reason') }))
    }}>
      <label className="input"><span>{t('player.trust')}</span><select value={trust} onChange={(e) => setTrust(e.target.value as typeof trust)}>{trusts.map((x) => <option key={x} value={x}>{t(`player.trust_${x}`)}</option>)}</select></label>
      <p className="muted small">{t('player.trust_text')}</p>
    </ActDialog>
  )
}

function ProfileDialog({ app, player, ...d }: { app: string; player: Player } & Dialog) {
  const t = useText()
  const [p, setP] = useState(player.profile)
  const save = useChange((body: Player['profile']) => http.put('/players/{id}', { path: { id: player.player_id }, query: { app_id: app }, body }), ['/players'])
  const put = (change: Partial<Player['profile']>) => setP({ ...p, ...change })
  const whole = (v: Player['profile']) => ({ ...(v.segment ? { segment: v.segment } : {}), ...(v.region ? { region: v.region } : {}), ...(v.language ? { language: v.language } : {}), ...(v.account_created_at ? { account_created_at: v.account_created_at } : {}), age_verified: Boolean(v.age_verified) })
  return (
    <ActDialog {...d} title={t('player.edit_profile')} confirm={t('common.save')} reason="none" run={async () => {
      const before = player.profile
      await save.mutateAsync(whole(p))
      toast(t('player.profile_saved'), () => save.mutateAsync(whole(before)))
    }}>
      <p className="muted small">{t('player.profile_text')}</p>
      <label className="input"><span>{t('player.segment')}</span><select value={p.segment ?? ''} onChange={(e) => put({ segment: (e.target.value || undefined) as Player['profile']['segment'] })}>{segments.map((x) => <option key={x} value={x}>{x ? plain(x) : t('player.not_known')}</option>)}</select></label>
      <label className="input"><span>{t('player.region')}</span><input value={p.region ?? ''} maxLength={32} pattern="[A-Za-z0-9_\-]*" onChange={(e) => put({ region: e.target.value })} /></label>
      <label className="input"><span>{t('player.language')}</span><input value={p.language ?? ''} maxLength={35} placeholder="ja" onChange={(e) => put({ language: e.target.value })} /></label>
      <label className="check"><input type="checkbox" checked={Boolean(p.age_verified)} onChange={(e) => put({ age_verified: e.target.checked })} />{t('player.age_verified')}</label>
    </ActDialog>
  )
}
