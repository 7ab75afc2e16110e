import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { ApiError } from '../../lib/api'
import { http } from '../../lib/http'
import { kindOf, nextStep, rolloutSteps, running, shownName, sidesOf, stepOf, type Fault, type RolloutStep } from '../../lib/layer'
import { useApi, useChange } from '../../lib/query'
import { can } from '../../lib/roles'
import type { Moderator } from '../../lib/wire'
import { categoryName, fineShare, number, suggestionName } from '../../lib/words'
import { ActDialog } from '../../ui/ActDialog'
import { FaultList } from '../../ui/Faults'
import { CheckIcon } from '../../ui/icons'
import { Card, Loaded, Page } from '../../ui/Page'
import { Quoted } from '../../ui/Quoted'
import { Table } from '../../ui/Table'
import { Time } from '../../ui/Time'
import { toast } from '../../ui/Toast'
import { placeOf } from '../route'
import { points, type Rollout, type RolloutWithStats } from './parts'
import { StateChip } from './Rollouts'
import { BacktestView } from './Try'

interface Props { me: Moderator; app: string; layer: string; name: string; id: string }
type Order = 'advance' | 'approve' | 'pause' | 'stop' | 'return'

/** RolloutPage takes a change to life, step by step, with what live and draft decide side by side. */
export function RolloutPage({ me, app, layer, name, id }: Props) {
  const t = useText()
  const q = useApi('/policies/{layer}/{name}/rollouts/{id}', { path: { layer, name, id }, query: { app_id: app } }, { every: 2000 })
  const of = layer === 'list' ? t('policies.word_list') : t(`policies.kind_${kindOf(layer, name)}`)
  return (
    <Page title={t('policies.rollout_of', { layer: of, name: shownName(name) })} actions={<>{q.data && <StateChip of={q.data} />}<a className="button small" href={placeOf(layer === 'list' ? ['lists', name] : ['policies', 'at', layer, name])}>{t('policies.to_layer')}</a><a className="button small" href={placeOf(['policies', 'rollouts'])}>{t('policies.tab_rollouts')}</a></>}>
      <Loaded of={q}>{(r) => <Running me={me} app={app} r={r} />}</Loaded>
    </Page>
  )
}

function Running({ me, app, r }: { me: Moderator; app: string; r: RolloutWithStats }) {
  const t = useText()
  const may = can(me.role, 'policy.edit')
  const next = nextStep(r)
  // An approval counts for something only where two persons publish.
  const settings = useApi('/policies/settings', { query: { app_id: app } })
  const two = Boolean((settings.data?.body as { two_person?: boolean } | undefined)?.two_person)
  const [asking, setAsking] = useState<Order | null>(null)
  const [faults, setFaults] = useState<readonly Fault[]>([])
  const order = useChange(async ({ what, reason }: { what: Order; reason: string }) => {
    const args = { path: { layer: r.layer, name: r.name, id: r.rollout_id }, query: { app_id: app }, ifMatch: r.version, body: reason ? { reason } : {} }
    try {
      const a = await http.post(`/policies/{layer}/{name}/rollouts/{id}/${what}`, args as never)
      setFaults([])
      return a
    } catch (err) {
      if (err instanceof ApiError && err.code === 1001) setFaults(err.errors)
      throw err
    }
  }, ['/policies', '/lists'])
  const stepName = (s: RolloutStep) => (Number(s) ? t('policies.share', { n: Number(s) }) : t(`policies.state_${s as 'draft'}`))
  const words: Record<Order, string> = { advance: next ? t('policies.advance_to', { step: stepName(next) }) : '', approve: t('policies.approve'), pause: t('policies.pause'), stop: t('policies.stop'), return: t('policies.take_back') }
  return (
    <>
      <Track r={r} name={stepName} />
      {r.why && <p className="callout warn" role="status">{r.why}</p>}
      {r.comment && <p className="muted"><bdi>{r.by}</bdi>: <bdi>{r.comment}</bdi></p>}
      {r.state === 'proposed' && <p className="callout" role="status">{t('policies.proposed_text', { by: r.by })}</p>}
      <FaultList of={faults} />
      {may && (
        <div className="row-of">
          {next && <Button className="button primary" onPress={() => setAsking('advance')}>{words.advance}</Button>}
          {(r.state === 'proposed' || (running(r.state) && two && !r.approved_by)) && r.by !== me.name && <Button className="button" onPress={() => setAsking('approve')}>{words.approve}</Button>}
          {(r.state === 'shadow' || r.state === 'partial') && <Button className="button" onPress={() => setAsking('pause')}>{words.pause}</Button>}
          {(running(r.state) || r.state === 'proposed') && <Button className="button danger" onPress={() => setAsking('stop')}>{words.stop}</Button>}
          {r.state === 'live' && <Button className="button danger" onPress={() => setAsking('return')}>{words.return}</Button>}
        </div>
      )}
      <Card title={t('policies.figures')}><Figures r={r} name={stepName} /></Card>
      <div className="cards">
        {r.backtest_id && <Card title={t('policies.backtest')}><BacktestView app={app} id={r.backtest_id} /></Card>}
        <Card title={t('policies.tests')}><Tests r={r} failed={faults} /></Card>
        <Samples r={r} />
        <Card title={t('policies.steps')}>
          <ol className="steps">{r.steps.map((s, i) => <li key={i}><strong>{s.state === 'partial' ? t('policies.share', { n: s.share }) : t(`policies.state_${s.state}`)}</strong> <span className="muted small"><bdi>{s.by}</bdi>, <Time at={s.at} full /></span>{s.why && <p className="small"><bdi>{s.why}</bdi></p>}</li>)}</ol>
        </Card>
      </div>
      <ActDialog open={asking !== null} onOpen={(o) => { if (!o) setAsking(null) }} title={asking ? words[asking] : ''} confirm={asking ? words[asking] : ''} danger={asking === 'stop' || asking === 'return'} reason={asking === 'stop' || asking === 'return' ? 'required' : 'optional'}
        run={async (reason) => { const what = asking as Order; const a = await order.mutateAsync({ what, reason }); const r = a as unknown as Rollout; toast(t('policies.is_now', { state: r.state === 'partial' ? t('policies.share', { n: r.share }) : t(`policies.state_${r.state}`) })) }}>
        <p>{asking && t(`policies.${asking}_text`)}</p>
      </ActDialog>
    </>
  )
}

/** Track shows all steps and which is now. */
function Track({ r, name }: { r: RolloutWithStats; name: (s: RolloutStep) => string }) {
  const t = useText()
  const now = stepOf(r)
  const at = now ? rolloutSteps.indexOf(now) : -1
  return (
    <ol className="track" aria-label={t('policies.track')}>
      {rolloutSteps.map((s, i) => (
        <li key={s} className={i < at ? 'track-done' : i === at ? 'track-now' : ''} aria-current={i === at ? 'step' : undefined}>
          <span className="track-dot" aria-hidden="true">{i < at || r.state === 'live' ? <CheckIcon size={12} /> : i + 1}</span><span>{name(s)}</span>
        </li>
      ))}
    </ol>
  )
}

function Figures({ r, name }: { r: RolloutWithStats; name: (s: RolloutStep) => string }) {
  const t = useText()
  if (!r.stats.length) return <p className="muted">{t('policies.no_figures')}</p>
  const share = (n: number | undefined) => (n === undefined ? '–' : fineShare(n))
  return (
    <>
      <p className="muted small">{t('policies.bounds_text', { block: fineShare(r.bounds.block?.absolute ?? 0), review: fineShare(r.bounds.review?.absolute ?? 0), least: r.bounds.least ?? 0 })}</p>
      <Table label={t('policies.figures')} rows={r.stats.map((s) => ({ ...s, ...sidesOf(s) }))} rowKey={(s) => s.step} columns={[
        { key: 'step', head: t('policies.step'), cell: (s) => <>{name(s.step as RolloutStep)}{s.outside && <span className="chip chip-block">{t('policies.outside', { bound: s.outside })}</span>}</> },
        { key: 'n', head: t('policies.decisions_both'), num: true, cell: (s) => `${number(s.live.decisions)} / ${number(s.draft.decisions)}` },
        { key: 'block', head: t('policies.blocked_both'), num: true, cell: (s) => `${share(s.live.block_share)} / ${share(s.draft.block_share)}` },
        { key: 'blockd', head: t('policies.difference'), num: true, cell: (s) => t('policies.points', { n: points(s.live.block_share, s.draft.block_share) }) },
        { key: 'review', head: t('policies.reviewed_both'), num: true, cell: (s) => `${share(s.live.review_share)} / ${share(s.draft.review_share)}` },
        { key: 'reviewd', head: t('policies.difference'), num: true, cell: (s) => t('policies.points', { n: points(s.live.review_share, s.draft.review_share) }) },
      ]} />
      {r.stats.map((s) => {
        const differs = s.pairs.filter((p) => p.live !== p.draft && p.decisions > 0)
        const moved = s.categories.filter((c) => c.live !== c.draft)
        if (!differs.length && !moved.length) return null
        return (
          <div key={s.step} className="moved"><h3>{t('policies.same_items', { step: name(s.step as RolloutStep) })}</h3>
            <ul className="inline-list">{differs.map((p) => <li key={p.live + p.draft}>{suggestionName(p.live as 'pass')} → {suggestionName(p.draft as 'pass')}: <strong>{number(p.decisions)}</strong></li>)}{moved.map((c) => <li key={c.category}>{categoryName(c.category)}: {number(c.live)} → <strong>{number(c.draft)}</strong></li>)}</ul>
          </div>
        )
      })}
    </>
  )
}

function Tests({ r, failed }: { r: RolloutWithStats; failed: readonly Fault[] }) {
  const t = useText()
  if (!r.tests.length) return <p className="muted">{t('policies.no_tests')}</p>
  const passed = rolloutSteps.indexOf(stepOf(r) ?? 'draft') >= 1
  return (
    <>
      <p>{passed ? t('policies.tests_passed', { n: r.tests.length }) : t('policies.tests_wait', { n: r.tests.length })}</p>
      <ul className="tests">{r.tests.map((x, i) => {
        const wrong = failed.filter((f) => f.pointer.startsWith(`/tests/${i}`) && !/^\/tests\/\d+\d/.test(f.pointer.slice(0, `/tests/${i}`.length + 1)))
        return <li key={i}><span className={`chip chip-${wrong.length ? 'block' : passed ? 'pass' : 'seen'}`}>{x.expect.suggestion ? suggestionName(x.expect.suggestion) : ''}{x.expect.category && ` ${categoryName(x.expect.category)}`}</span> <Quoted text={x.content} lang={x.language} />{wrong.map((f) => <span key={f.reason} className="fault">{f.reason}</span>)}</li>
      })}</ul>
    </>
  )
}

function Samples({ r }: { r: RolloutWithStats }) {
  const t = useText()
  if (!r.samples.length) return null
  return (
    <Card title={t('policies.samples')}>
      <Table label={t('policies.samples')} rows={r.samples} rowKey={(s) => s.request_id + (s.step ?? '')} columns={[
        { key: 'at', head: t('common.time'), cell: (s) => <Time at={s.at} />, sort: (s) => s.at },
        { key: 'live', head: t('policies.live'), cell: (s) => suggestionName(s.live as 'pass') },
        { key: 'draft', head: t('policies.draft'), cell: (s) => suggestionName(s.draft as 'pass') },
        { key: 'cat', head: t('policies.category'), cell: (s) => (s.category ? categoryName(s.category) : '–') },
        { key: 'id', head: t('policies.request'), cell: (s) => <code className="small">{s.request_id}</code>, width: 'minmax(0, 2.4fr)' },
      ]} />
    </Card>
  )
}
