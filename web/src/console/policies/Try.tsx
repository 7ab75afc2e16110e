import { useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { ApiError, explain } from '../../lib/api'
import { http, type Answer } from '../../lib/http'
import type { Body } from '../../lib/layer'
import { useApi } from '../../lib/query'
import { fineShare, number, suggestionName } from '../../lib/words'
import { CategoryChips, VerdictChip } from '../../ui/Chips'
import { Card, Failed, Loading } from '../../ui/Page'
import { Table } from '../../ui/Table'
import { Time } from '../../ui/Time'
import type { Backtest } from './parts'

interface Props { app: string; layer: string; name: string; body: Body; question: { scene_id?: string; region?: string; language?: string; segment?: string } }
type Trial = Extract<Answer<'post', '/policies/try'>, { live: unknown }>

/** Try says what the draft would make of a text, or of what was stored in a time. */
export function Try({ app, layer, name, body, question }: Props) {
  const t = useText()
  const [content, setContent] = useState('')
  const [kind, setKind] = useState<'text' | 'name'>('text')
  const [asked, setAsked] = useState({ scene_id: question.scene_id ?? '', region: question.region ?? '', language: question.language ?? '', segment: question.segment ?? '' })
  const [days, setDays] = useState(7)
  const [test, setTest] = useState('')
  const policy = { layer, name, body: body as never }
  const some = (o: Record<string, string>) => Object.fromEntries(Object.entries(o).filter(([, v]) => v !== ''))
  const one = useMutation({ mutationFn: () => http.post('/policies/try', { query: { app_id: app }, body: { policy, content, kind, ...some(asked) } }) as Promise<Trial> })
  const period = useMutation({
    mutationFn: () => http.post('/policies/try', { query: { app_id: app }, body: { policy, from: new Date(Date.now() - days * 86_400_000).toISOString(), to: new Date().toISOString() } }) as Promise<Backtest>,
    onSuccess: (b) => setTest(b.backtest_id),
  })
  const fail = (err: unknown) => (err ? <p role="alert" className="fault">{err instanceof ApiError && err.code === 1001 ? err.errors.map((e) => `${e.pointer} ${e.reason}`).join('; ') : explain(err)}</p> : null)
  return (
    <Card title={t('policies.try')}>
      <form className="form" onSubmit={(e) => { e.preventDefault(); one.mutate() }}>
        <label className="input"><span>{t('policies.try_content')}</span><textarea rows={2} value={content} maxLength={10_000} onChange={(e) => setContent(e.target.value)} /></label>
        <div className="fields">
          {(['scene_id', 'region', 'language', 'segment'] as const).map((k) => <label key={k} className="input"><span>{t(`policies.ask_${k}`)}</span><input value={asked[k]} maxLength={128} spellCheck={false} onChange={(e) => setAsked({ ...asked, [k]: e.target.value })} /></label>)}
          <label className="input"><span>{t('policies.ask_kind')}</span><select value={kind} onChange={(e) => setKind(e.target.value as 'text')}><option value="text">{t('policies.kind_of_text')}</option><option value="name">{t('policies.kind_of_name')}</option></select></label>
        </div>
        <div className="row-of"><Button type="submit" className="button" isDisabled={content === '' || one.isPending}>{one.isPending ? t('common.working') : t('policies.try_it')}</Button></div>
        {fail(one.error)}
      </form>
      <div role="status">{one.data && <TrialView of={one.data} />}</div>
      <form className="fields" onSubmit={(e) => { e.preventDefault(); period.mutate() }}>
        <label className="input"><span>{t('policies.try_period')}</span><select value={days} onChange={(e) => setDays(Number(e.target.value))}>{[1, 7, 30, 90].map((n) => <option key={n} value={n}>{t('policies.last_days', { n })}</option>)}</select></label>
        <Button type="submit" className="button" isDisabled={period.isPending}>{t('policies.backtest')}</Button>
        {fail(period.error)}
      </form>
      {test && <BacktestView app={app} id={test} />}
    </Card>
  )
}

function TrialView({ of }: { of: Trial }) {
  const t = useText()
  const side = (name: string, s: Trial['live']) => (
    <div className="trial-side"><h3>{name}</h3>
      <p><VerdictChip of={{ suggestion: s.result.suggestion, action: s.result.action ?? 'deliver', mode: s.result.mode ?? 'real_time_block', observed: s.result.observed as never }} /> <CategoryChips labels={s.result.label as never} /></p>
      {s.result.reason && <p className="small">{s.result.reason}</p>}
      <p className="muted small">{s.layers.join(' < ')}</p>
    </div>
  )
  return <><p><strong>{t(of.changed ? 'policies.trial_changed' : 'policies.trial_same')}</strong></p><div className="trial">{side(t('policies.live'), of.live)}{side(t('policies.draft'), of.draft)}</div></>
}

/** BacktestView follows a back-test and shows what it found. */
export function BacktestView({ app, id }: { app: string; id: string }) {
  const t = useText()
  const [over, setOver] = useState(false)
  const q = useApi('/policies/backtests/{id}', { path: { id }, query: { app_id: app } }, over ? {} : { every: 1500 })
  const b = q.data
  const going = b ? b.status === 'queued' || b.status === 'running' : true
  if (b && !going && !over) queueMicrotask(() => setOver(true))
  if (!b) return q.error ? <Failed error={q.error} onRetry={() => void q.refetch()} /> : <Loading />
  const r = b.result
  return (
    <div className="backtest">
      <p role="status">{t(`policies.backtest_${b.status}`)} {going && fineShare(b.progress)} <span className="muted small"><Time at={b.from} /> – <Time at={b.to} /></span></p>
      {b.why && <p className="fault">{b.why}</p>}
      {r && (
        <>
          <p>{t('policies.backtest_result', { n: number(r.decisions), weight: number(Math.round(r.weight)) })} {r.without_content > 0 && <span className="muted">{t('policies.without_content', { n: number(r.without_content) })}</span>}</p>
          <Table label={t('policies.backtest')} rows={r.pairs.filter((p) => p.weight > 0)} rowKey={(p) => `${p.was} ${p.is}`} empty={<p className="muted">{t('policies.no_decisions')}</p>} columns={[
            { key: 'was', head: t('policies.live'), cell: (p) => suggestionName(p.was as 'pass') },
            { key: 'is', head: t('policies.draft'), cell: (p) => <span className={p.was === p.is ? '' : 'diff-is'}>{suggestionName(p.is as 'pass')}{p.was !== p.is && ` (${t('policies.differs')})`}</span> },
            { key: 'n', head: t('policies.decisions'), num: true, cell: (p) => number(Math.round(p.weight)), sort: (p) => p.weight },
          ]} />
        </>
      )}
    </div>
  )
}
