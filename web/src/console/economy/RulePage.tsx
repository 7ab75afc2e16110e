/* oxlint-disable unicorn/no-thenable -- `then` is the contract's word for what follows; no rule is awaited */
import { useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { ApiError, explain } from '../../lib/api'
import type { components } from '../../lib/api.gen'
import { http } from '../../lib/http'
import { faultsAt, homeless, within, type Fault } from '../../lib/layer'
import { useApi, useChange } from '../../lib/query'
import { can } from '../../lib/roles'
import type { Moderator } from '../../lib/wire'
import { fineShare, number } from '../../lib/words'
import { FaultList, FaultsAt } from '../../ui/Faults'
import { Card, Failed, Loaded, Loading, Page } from '../../ui/Page'
import { Table } from '../../ui/Table'
import { Time } from '../../ui/Time'
import { toast } from '../../ui/Toast'
import { placeOf } from '../route'
import { LedgerLink } from './parts'
import { RuleState } from './Rules'

type Rule = components['schemas']['Rule']
type Input = components['schemas']['RuleInput']
interface Props { me: Moderator; app: string; name: string }

const blank: Input = { state: 'draft', on: 'player', when: '', then: { factor: 40 } }
const states = ['draft', 'shadow', 'live', 'retired'] as const
/** What of a stored rule is written back. */
const writable = (r: Rule): Input => { const { state, on, when, then, text, comment, author, must_hit, must_pass } = r; return JSON.parse(JSON.stringify({ state, on, when, then, text, comment, author, must_hit, must_pass })) as Input }

/** RulePage edits one of the studio's rules, tries it on stored entries, and shows what it did. */
export function RulePage({ me, app, name }: Props) {
  const t = useText()
  const q = useApi('/economy/rules/{name}', { path: { name }, query: { app_id: app } })
  const isNew = q.error instanceof ApiError && q.error.status === 404
  const title = t('economy.rule_title', { name })
  const back = <a className="button small" href={placeOf(['economy', 'rules'])}>{t('economy.tab_rules')}</a>
  if (!isNew && !q.data) return <Page title={title} actions={back}>{q.error ? <Failed error={q.error} onRetry={() => void q.refetch()} /> : <Loading />}</Page>
  const stored = isNew ? undefined : (q.data as Rule | undefined)
  return <Page title={title} actions={<>{stored ? <><RuleState of={stored.state} /><span className="muted small">{t('policies.version', { n: stored.version })}</span></> : <span className="chip chip-review">{t('policies.is_new')}</span>}{back}</>}><Editor key={stored?.version ?? 0} me={me} app={app} name={name} stored={stored} /></Page>
}

function Editor({ me, app, name, stored }: Props & { stored: Rule | undefined }) {
  const t = useText()
  const was = stored ? writable(stored) : blank
  const [rule, setRule] = useState(was)
  const [faults, setFaults] = useState<readonly Fault[]>([])
  const may = can(me.role, 'policy.edit')
  const save = useChange(async (state: Input['state']) => http.put('/economy/rules/{name}', { path: { name }, query: { app_id: app }, ifMatch: stored?.version ?? 0, body: { ...rule, state } as never }), ['/economy'])
  const run = async (state: Input['state']) => {
    try { const a = await save.mutateAsync(state); setFaults([]); toast(t('policies.stored', { n: (a as Rule).version })) } catch (err) { setFaults(err instanceof ApiError && err.code === 1001 ? err.errors : []) }
  }
  const set = (change: Partial<Input>) => setRule({ ...rule, ...change })
  const changed = JSON.stringify(rule) !== JSON.stringify(was)
  const effect = rule.then.suggestion ? 'suggestion' : rule.on === 'player' ? 'factor' : 'score'
  return (
    <>
      <FaultList of={homeless(faults, ['/when', '/then', '/state'])} />
      {save.error && faults.length === 0 && <p className="callout warn" role="alert">{explain(save.error)}</p>}
      <div className="editor">
        <fieldset className="editor-main" disabled={!may}>
          <legend className="sr-only">{t('economy.rule_title', { name })}</legend>
          <Card title={t('economy.condition')}>
            <div className="fields">
              <label className="input"><span>{t('economy.rule_on')}</span><select value={rule.on} onChange={(e) => { const on = e.target.value as Input['on']; set({ on, then: on === 'player' ? { factor: 40 } : { suggestion: 'review' } }) }}><option value="player">{t('economy.on_player')}</option><option value="trade">{t('economy.on_trade')}</option></select></label>
              {rule.on === 'trade' && <label className="input"><span>{t('economy.then')}</span><select value={rule.then.suggestion ?? 'score'} onChange={(e) => set({ then: e.target.value === 'score' ? { score: 40 } : { suggestion: e.target.value as 'review' } })}><option value="review">{t('words.review')}</option><option value="block">{t('words.block')}</option><option value="score">{t('economy.score')}</option></select></label>}
              {effect !== 'suggestion' && <label className="input"><span>{t('economy.would_give')}</span><input type="number" min={1} max={100} value={rule.then.factor ?? rule.then.score ?? 1} onChange={(e) => set({ then: { [effect]: Number(e.target.value) } })} /><FaultsAt of={faultsAt(faults, '/then')} /></label>}
            </div>
            <label className="input"><span>{t('economy.when')}</span><textarea className="mono" rows={4} maxLength={4000} spellCheck={false} value={rule.when} placeholder={'player.account_age_days < 7 and player.free_got > 5'} onChange={(e) => set({ when: e.target.value })} /><FaultsAt of={faultsAt(faults, '/when')} /></label>
            <p className="muted small">{t('economy.when_text')}</p>
            <label className="input"><span>{t('policies.comment')}</span><input value={rule.comment ?? ''} maxLength={2000} onChange={(e) => { const { comment: _, ...rest } = rule; setRule(e.target.value ? { ...rest, comment: e.target.value } : (rest as Input)) }} /></label>
            <div className="fields">{(['en', 'ja', 'zh', 'ko'] as const).map((l) => <label key={l} className="input"><span>{t('economy.told_in', { language: l })}</span><input lang={l} value={rule.text?.[l] ?? ''} maxLength={500} onChange={(e) => set({ text: { ...rule.text, [l]: e.target.value } })} /></label>)}</div>
          </Card>
          <Cases rule={rule} faults={faults} set={set} />
          {may && (
            <div className="row-of">
              {states.map((s) => <Button key={s} className={s === 'live' ? 'button primary' : 'button'} isDisabled={save.isPending || !rule.when.trim() || (!changed && stored?.state === s)} onPress={() => void run(s)}>{t(`economy.store_${s}`)}</Button>)}
              <FaultsAt of={faultsAt(faults, '/state')} />
            </div>
          )}
        </fieldset>
        <div className="editor-side">
          <TryRule app={app} rule={rule} />
          {may && <Backtest app={app} name={name} rule={rule} changed={changed || !stored} />}
          {stored && <Did app={app} name={name} />}
          {stored && <RuleHistory app={app} name={name} onTake={(r) => setRule(writable(r))} />}
        </div>
      </div>
    </>
  )
}

function Cases({ rule, faults, set }: { rule: Input; faults: readonly Fault[]; set: (c: Partial<Input>) => void }) {
  const t = useText()
  return (
    <Card title={t('policies.tests')}>
      <p className="muted small">{t('economy.cases_text')}</p>
      {(['must_hit', 'must_pass'] as const).map((k) => <CaseText key={k} label={t(`policies.${k}`)} value={rule[k]} faults={faultsAt(faults, `/${k}`)} onValue={(v) => set({ [k]: v } as Partial<Input>)} />)}
    </Card>
  )
}

function CaseText({ label, value, faults, onValue }: { label: string; value: Input['must_hit']; faults: readonly Fault[]; onValue: (v: Input['must_hit']) => void }) {
  const t = useText()
  const [text, setText] = useState<string | null>(null)
  const [wrong, setWrong] = useState('')
  const leave = () => {
    if (text === null) return
    try {
      const v: unknown = text.trim() === '' ? [] : JSON.parse(text)
      if (!Array.isArray(v)) throw new Error(t('economy.json_list'))
      onValue(v as Input['must_hit'])
      setText(null)
      setWrong('')
    } catch (err) { setWrong(err instanceof Error ? err.message : String(err)) }
  }
  return <label className="input"><span>{label}</span><textarea className="mono" rows={4} spellCheck={false} value={text ?? (value?.length ? JSON.stringify(value, null, 1) : '')} placeholder={'[{"account_age_days": 2, "free_got": 12}]'} onChange={(e) => setText(e.target.value)} onBlur={leave} /><span className="fault" role="alert">{wrong}</span><FaultsAt of={faults} /></label>
}

function TryRule({ app, rule }: { app: string; rule: Input }) {
  const t = useText()
  const [player, setPlayer] = useState('')
  const condition = (() => { const { state: _, ...rest } = rule; return rest })()
  const run = useMutation({ mutationFn: () => http.post('/economy/rules/try', { query: { app_id: app }, body: { rule: condition as never, player_id: player } }) })
  if (rule.on !== 'player') return null
  const say = (o: unknown) => { const r = o as { risk_score?: number }; return r.risk_score === undefined ? '–' : String(r.risk_score) }
  return (
    <Card title={t('economy.try_rule')}>
      <form className="fields" onSubmit={(e) => { e.preventDefault(); run.mutate() }}>
        <label className="input"><span>{t('economy.player_id')}</span><input value={player} maxLength={128} spellCheck={false} onChange={(e) => setPlayer(e.target.value)} /></label>
        <Button type="submit" className="button" isDisabled={!player || !rule.when.trim() || run.isPending}>{t('policies.try_it')}</Button>
      </form>
      {run.error && <p className="fault" role="alert">{run.error instanceof ApiError && run.error.code === 1001 ? within(run.error.errors, '/rule').map((f) => `${f.pointer} ${f.reason}`).join('; ') : explain(run.error)}</p>}
      <p role="status">{run.data && <>{t(run.data.hit ? 'economy.hits' : 'economy.hits_not')} {run.data.why} · {t('economy.risk')}: {say(run.data.model)} → <strong>{say(run.data.with_rule)}</strong></>}</p>
    </Card>
  )
}

function Backtest({ app, name, rule, changed }: { app: string; name: string; rule: Input; changed: boolean }) {
  const t = useText()
  const [id, setId] = useState('')
  const [over, setOver] = useState(false)
  const condition = (() => { const { state: _, ...rest } = rule; return rest })()
  const begin = useMutation({ mutationFn: () => http.post('/economy/rules/{name}/backtest', { path: { name }, query: { app_id: app }, body: (changed ? { rule: condition } : {}) as never }), onSuccess: (b) => { setOver(false); setId((b as { backtest_id: string }).backtest_id) } })
  const q = useApi('/economy/rules/{name}/backtest/{id}', { path: { name, id }, query: { app_id: app } }, { enabled: id !== '', ...(over ? {} : { every: 1500 }) })
  const b = q.data
  const going = b?.status === 'queued' || b?.status === 'running'
  if (b && !going && !over) queueMicrotask(() => setOver(true))
  const r = b?.result
  return (
    <Card title={t('economy.backtest')}>
      <p className="muted small">{t('economy.backtest_text')}</p>
      <div className="row-of"><Button className="button" isDisabled={!rule.when.trim() || begin.isPending || going} onPress={() => begin.mutate()}>{t('policies.backtest')}</Button></div>
      {begin.error && <p className="fault" role="alert">{begin.error instanceof ApiError && begin.error.code === 1001 ? begin.error.errors.map((f) => `${f.pointer} ${f.reason}`).join('; ') : explain(begin.error)}</p>}
      {b && <p role="status">{t(`policies.backtest_${b.status}`)} <span className="muted small"><Time at={b.from} /> – <Time at={b.to} /></span> {b.why}</p>}
      {r && (
        <>
          <p>{t('economy.backtest_result', { hit: number(r.hit), population: number(r.population), share: fineShare(r.population ? r.hit / r.population : 0) })}</p>
          <Tally of={r} />
          <Table label={t('economy.sample')} rows={r.sample} rowKey={(s) => `${s.at}${s.player_id ?? s.log_id ?? s.trade_id ?? ''}`} empty={<p className="muted">{t('economy.hit_nobody')}</p>} columns={[
            { key: 'at', head: t('common.time'), cell: (s) => <Time at={s.at} />, sort: (s) => s.at },
            { key: 'who', head: t('economy.player'), cell: (s) => (s.player_id ? <LedgerLink id={s.player_id} /> : <><LedgerLink id={s.sender_id ?? ''} /> → <LedgerLink id={s.receiver_id ?? ''} /></>) },
            { key: 'risk', head: t('economy.risk'), num: true, cell: (s) => s.risk_score, sort: (s) => s.risk_score },
          ]} />
        </>
      )}
    </Card>
  )
}

function Tally({ of }: { of: components['schemas']['RuleTally'] }) {
  const t = useText()
  const changes = Object.entries(of.changes).filter(([, n]) => n) as [keyof typeof of.changes, number][]
  return <ul className="inline-list small"><li>{t('economy.evaluations')}: {number(of.evaluations)}</li><li>{t('economy.hit_count')}: <strong>{number(of.hits)}</strong></li>{of.errors > 0 && <li>{t('economy.errors')}: {number(of.errors)}</li>}{changes.map(([k, n]) => <li key={k}>{t(`economy.change_${k}`)}: <strong>{number(n)}</strong></li>)}</ul>
}

function Did({ app, name }: { app: string; name: string }) {
  const t = useText()
  const q = useApi('/economy/rules/{name}/stats', { path: { name }, query: { app_id: app } })
  return <Card title={t('economy.did')}><Loaded of={q} isEmpty={(d) => d.days.length === 0} empty={<p className="muted">{t('economy.did_nothing')}</p>}>{(d) => <ol className="history">{d.days.map((x) => <li key={`${x.day}/${x.version}`}><strong>{x.day}</strong> <span className="muted small">{t('policies.version', { n: x.version })}</span><Tally of={x} /></li>)}</ol>}</Loaded></Card>
}

function RuleHistory({ app, name, onTake }: { app: string; name: string; onTake: (r: Rule) => void }) {
  const t = useText()
  const q = useApi('/economy/rules/{name}/history', { path: { name }, query: { app_id: app } })
  return (
    <Card title={t('policies.history')}><Loaded of={q}>{(d) => (
      <ol className="history">{(d as unknown as { versions?: Rule[]; rules?: Rule[] }).versions?.map((r) => <li key={r.version}><p><strong>{t('policies.version', { n: r.version })}</strong> <RuleState of={r.state} /> <span className="muted small"><bdi>{r.by}</bdi>, <Time at={r.changed_at} /></span></p><code className="value">{r.when}</code> <Button className="link-button small" onPress={() => onTake(r)}>{t('economy.take')}<span className="sr-only">: {r.version}</span></Button></li>)}</ol>
    )}</Loaded></Card>
  )
}
