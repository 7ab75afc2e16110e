import { useState } from 'react'
import { Button } from 'react-aria-components'
import { rich, useText } from '../i18n/text'
import type { Answer } from '../lib/http'
import { http } from '../lib/http'
import { levelOf } from '../lib/economy'
import { useChange } from '../lib/query'
import { dayTime } from '../lib/words'
import { ActDialog } from './ActDialog'
import { RiskChip } from './RiskChip'
import { Time } from './Time'
import { toast } from './Toast'

type Risk = Answer<'get', '/economy/risk-score'>
interface Props { app: string; risk: Risk; may: boolean }
const hours = [1, 6, 24, 72, 168, 720, 2160, 8760]
/** How much of an override is left, in the hours that the gateway counts in. */
const left = (until: string) => Math.min(8760, Math.max(1, Math.ceil((+new Date(until) - Date.now()) / 3_600_000)))

function useOverride(app: string, id: string) {
  return useChange((body: { score?: number; hours: number; reason: string }) => http.put('/economy/players/{id}/override', { path: { id }, query: { app_id: app }, body }), ['/economy', '/cases', '/players'])
}

/** OverrideNote is the score that an operator has set in the place of the model's: since when it counts nobody asks, until when, by whom and why they do. */
export function OverrideNote({ app, risk, may }: Props) {
  const t = useText()
  const [open, setOpen] = useState(false)
  const put = useOverride(app, risk.player_id)
  const o = risk.override
  if (!o) return null
  // Its factor is the difference that it makes.
  const model = o.score - (risk.risk_factors.find((f) => f.factor === 'operator_override')?.score ?? 0)
  const takeBack = async (reason: string) => {
    await put.mutateAsync({ hours: 0, reason })
    toast(t('economy.override_ended'), () => put.mutateAsync({ score: o.score, hours: left(o.until), reason: o.reason }))
  }
  return (
    <div className="callout override">
      <p>{rich('economy.override_holds', { score: o.score, model, by: <bdi key="by">{o.by}</bdi>, until: <Time key="until" at={o.until} />, b: (x) => <strong>{x}</strong> })}</p>
      {o.reason && <p className="muted"><bdi>{o.reason}</bdi></p>}
      {may && <Button className="button small" onPress={() => setOpen(true)}>{t('economy.override_back')}</Button>}
      <ActDialog open={open} onOpen={setOpen} title={t('economy.override_back_title', { player: risk.player_id })} confirm={t('economy.override_back')} reason="label" run={takeBack}>
        <p className="muted small">{t('economy.override_back_text', { model })}</p>
      </ActDialog>
    </div>
  )
}

/** OverrideButton sets a player's risk for a while; whoever may not sees no button. */
export function OverrideButton({ app, risk, may }: Props) {
  const t = useText()
  const [open, setOpen] = useState(false)
  if (!may) return null
  return (
    <>
      <Button className="button small" onPress={() => setOpen(true)}>{t(risk.override ? 'economy.override_change' : 'economy.override')}</Button>
      {open && <SetDialog app={app} risk={risk} onOpen={setOpen} />}
    </>
  )
}

function SetDialog({ app, risk, onOpen }: Pick<Props, 'app' | 'risk'> & { onOpen: (open: boolean) => void }) {
  const t = useText()
  const [score, setScore] = useState(String(risk.override?.score ?? 0))
  const [time, setTime] = useState(72)
  const put = useOverride(app, risk.player_id)
  const n = Number(score)
  const fits = score !== '' && Number.isInteger(n) && n >= 0 && n <= 100
  const run = async (reason: string) => {
    const was = risk.override
    const set = await put.mutateAsync({ score: n, hours: time, reason })
    toast(t('economy.override_set', { player: risk.player_id, score: n, until: dayTime(set.until) }), () => put.mutateAsync(was ? { score: was.score, hours: left(was.until), reason: was.reason } : { hours: 0, reason: t('player.undone_reason') }))
  }
  return (
    <ActDialog open onOpen={onOpen} title={t('economy.override_title', { player: risk.player_id })} confirm={t('economy.override_confirm')} reason="label" ready={fits} run={run}>
      <div className="fields">
        <label className="input"><span>{t('economy.override_score')}</span><input type="number" inputMode="numeric" min={0} max={100} step={1} required value={score} onChange={(e) => setScore(e.target.value)} /></label>
        <label className="input"><span>{t('player.how_long')}</span><select value={time} onChange={(e) => setTime(Number(e.target.value))}>{hours.map((h) => <option key={h} value={h}>{h < 72 ? t('player.hours', { n: h }) : t('player.days', { n: h / 24 })}</option>)}</select></label>
      </div>
      <p role="status">{fits ? <RiskChip score={n} level={levelOf(n)} /> : <span className="muted small">{t('economy.override_range')}</span>}</p>
      <p className="muted small">{t('economy.override_text')}</p>
    </ActDialog>
  )
}
