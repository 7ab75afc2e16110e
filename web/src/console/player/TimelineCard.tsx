import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Button, ToggleButton } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { ofEconomy } from '../../lib/economy'
import { explain, requestText } from '../../lib/api'
import { address, http } from '../../lib/http'
import { useApi } from '../../lib/query'
import { can } from '../../lib/roles'
import type { Moderator } from '../../lib/wire'
import { actionName, categoryName, day, fullTime, number, plain, suggestionName } from '../../lib/words'
import { CategoryChips, VerdictChip } from '../../ui/Chips'
import { Card, Failed, Loading } from '../../ui/Page'
import { usePages } from '../../ui/Pager'
import { CaseLink, PlayerLink } from '../../ui/PlayerLink'
import { Hidden, Quoted } from '../../ui/Quoted'
import { Time } from '../../ui/Time'
import { lanes, merge, type Known, type Lane, type Logged, type Moment } from './timeline'

/** TimelineCard is one line of time of chat, voice, images, trades, reports, penalties and cases. */
export function TimelineCard({ app, id, me }: { app: string; id: string; me: Moderator }) {
  const t = useText()
  const known = usePages('/players/{id}/timeline', { path: { id }, query: { app_id: app, limit: 100 } }, (a) => a.events)
  const logged = usePages('/economy/players/{id}/timeline', { path: { id }, query: { app_id: app, limit: 100 } }, (a) => a.entries as Logged[])
  const [only, setOnly] = useState<readonly Lane[]>([])
  // A player of whom the game logged nothing is unknown there; that is no failure here.
  const away = logged.error !== null
  const all = useMemo(() => merge({ rows: known.rows ?? [], more: known.hasNextPage }, { rows: logged.rows ?? [], more: logged.hasNextPage }), [known.rows, known.hasNextPage, logged.rows, logged.hasNextPage])
  const shown = only.length ? all.filter((m) => only.includes(m.lane)) : all
  const counts = (l: Lane) => all.filter((m) => m.lane === l).length
  if (!known.rows) return <Card title={t('player.timeline')}>{known.error ? <Failed error={known.error} onRetry={() => void known.refetch()} /> : <Loading />}</Card>
  const more = known.hasNextPage || logged.hasNextPage
  const busy = known.isFetchingNextPage || logged.isFetchingNextPage
  const next = () => { if (known.hasNextPage) void known.fetchNextPage(); if (logged.hasNextPage) void logged.fetchNextPage() }
  return (
    <Card title={t('player.timeline')}>
      <div className="row-of" role="group" aria-label={t('player.lanes')}>
        {lanes.map((l) => <ToggleButton key={l} className="segment alone" isSelected={only.includes(l)} onChange={(on) => setOnly(on ? [...only, l] : only.filter((x) => x !== l))}>{t(`player.lane_${l}`)} {number(counts(l))}{more && '+'}</ToggleButton>)}
      </div>
      {away && (logged.error as { code?: number }).code !== 3001 && <p className="callout warn" role="alert">{t('player.no_ledger')} {explain(logged.error)}</p>}
      {shown.length === 0 ? <p className="muted">{t(only.length ? 'player.none_of' : 'player.none_yet')}</p> : <Days moments={shown} app={app} id={id} me={me} />}
      {more && <p className="pager"><Button className="button" isDisabled={busy} onPress={next}>{t(busy ? 'common.loading' : 'common.more')}</Button></p>}
    </Card>
  )
}

function Days({ moments, app, id, me }: { moments: readonly Moment[]; app: string; id: string; me: Moderator }) {
  const days: { name: string; of: Moment[] }[] = []
  for (const m of moments) {
    const name = day(m.at)
    if (days.at(-1)?.name !== name) days.push({ name, of: [] })
    days.at(-1)?.of.push(m)
  }
  return <>{days.map((d) => <section key={d.name} className="moments-day" aria-label={d.name}><h3>{d.name}</h3><ol className="moments">{d.of.map((m) => <li key={m.key} className="moment"><MomentRow of={m} app={app} id={id} me={me} /></li>)}</ol></section>)}</>
}

function MomentRow({ of: m, app, id, me }: { of: Moment; app: string; id: string; me: Moderator }) {
  const t = useText()
  return (
    <>
      <span className="moment-at"><time dateTime={m.at} title={fullTime(m.at)}>{new Date(m.at).toLocaleTimeString(document.documentElement.lang, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })}</time></span>
      <span className={`lane lane-${m.lane}`}>{t(`player.lane_${m.lane}`)}</span>
      <span className="moment-what">{m.known ? <KnownRow of={m.known} app={app} me={me} /> : m.logged ? <LoggedRow of={m.logged} app={app} id={id} /> : null}</span>
    </>
  )
}

/** What was said, of a case: fetched when it is asked for, hidden before. */
function Said({ caseId }: { caseId: string }) {
  const t = useText()
  const [shown, setShown] = useState(false)
  const file = useApi('/cases/{id}', { path: { id: caseId } }, { enabled: shown })
  return (
    <span className="moment-quote">
      {!shown ? null : file.data ? (file.data.content ? <Quoted text={file.data.content} lang={file.data.language} hits={file.data.hits} /> : <span className="muted">{t('common.no_text')}</span>) : file.error ? <span role="alert">{explain(file.error)}</span> : <span className="muted">{t('common.loading')}</span>}
      {' '}<Button className="link-button small" aria-expanded={shown} onPress={() => setShown(!shown)}>{t(shown ? 'player.hide' : 'player.show_said')}</Button> <CaseLink id={caseId}>{t('player.to_case')}</CaseLink>
    </span>
  )
}

/** Whether words of a decision without a case may be in the vault: those of what was flagged are. */
const words = (d: NonNullable<Known['decision']>) => (d.kind === 'text' || d.kind === 'name') && d.suggestion !== 'pass'

/** What was blocked without a case is in the vault. Reading it there is put on its chain, as everywhere. */
function Kept({ app, request }: { app: string; request: string }) {
  const t = useText()
  const [shown, setShown] = useState(false)
  const kept = useQuery({
    queryKey: ['/evidence of', app, request], enabled: shown, staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const [e] = (await http.get('/evidence', { query: { app_id: app, request_id: request, limit: 1 }, signal })).evidence
      return { e, said: e && !e.locked && !e.removed_at ? await requestText(address('/evidence/{id}', { id: e.evidence_id }), signal) : undefined }
    },
  })
  const a = kept.data
  return (
    <span className="moment-quote">
      {!shown ? null : a ? (a.said !== undefined ? <Quoted text={a.said} /> : <span className="muted">{t(!a.e || a.e.removed_at ? 'player.said_gone' : 'player.said_locked')}</span>) : kept.error ? <span role="alert">{explain(kept.error)}</span> : <span className="muted">{t('common.loading')}</span>}
      {' '}<Button className="link-button small" aria-expanded={shown} onPress={() => setShown(!shown)}>{t(shown ? 'player.hide' : 'player.read_said')}</Button>
    </span>
  )
}

function KnownRow({ of: e, app, me }: { of: Known; app: string; me: Moderator }) {
  const t = useText()
  const [shown, setShown] = useState(false)
  if (e.penalty) {
    const p = e.penalty
    return <><strong>{plain(p.kind)}</strong> <bdi>{p.reason}</bdi> <span className="muted small">{p.by}{p.expires_at && <> · {t('player.until')} <Time at={p.expires_at} /></>}{p.status === 'lifted' && <> · {t('player.lifted_by', { by: p.lifted_by ?? '', reason: p.lift_reason ?? '' })}</>}{p.status === 'expired' && <> · {t('player.ended')}</>}</span></>
  }
  if (e.strike) {
    const s = e.strike
    return <><strong>{t('player.strike')}</strong> {s.category && categoryName(s.category)}{s.sub_label && ` · ${plain(s.sub_label)}`} <span className="muted small">{t('player.strike_text', { severity: s.severity, weight: s.weight, by: s.by })}{s.undone_at && <> · {t('player.strike_undone', { by: s.undone_by ?? '' })}</>}</span> {s.case_id && <CaseLink id={s.case_id}>{t('player.to_case')}</CaseLink>}</>
  }
  if (e.case) {
    const c = e.case
    return <><strong>{t('player.case_of', { kind: plain(c.kind ?? 'content') })}</strong> {c.decision ? plain(c.decision) : plain(c.state)} <span className="muted small">{c.by}{c.reason && <> · <bdi>{c.reason}</bdi></>}</span> {ofEconomy(c) ? <CaseLink id={c.case_id}>{t('player.to_case')}</CaseLink> : <Said caseId={c.case_id} />}</>
  }
  if (e.report) {
    const r = e.report
    return (
      <><strong>{plain(r.reason)}</strong> {t('player.reported_by')} <PlayerLink app={app} id={r.reporter_id} /> <span className="muted small">{plain(r.state)}{r.times > 1 && <> · {t('player.times', { n: r.times })}</>}</span>
        {r.detail && <span className="moment-quote">{shown ? <Quoted text={r.detail} /> : <Hidden text={r.detail} />} <Button className="link-button small" onPress={() => setShown(!shown)}>{t(shown ? 'player.hide' : 'player.show')}</Button></span>}
        {' '}<CaseLink id={r.case_id}>{t('player.to_case')}</CaseLink></>
    )
  }
  const d = e.decision
  if (!d) return null
  return <><VerdictChip of={d} /> <CategoryChips labels={d.label} /> <span className="muted small">{[suggestionName(d.suggestion), actionName(d.action), d.scene_id].filter(Boolean).join(' · ')}</span> {d.case_id ? <Said caseId={d.case_id} /> : words(d) && can(me.role, 'evidence.see') && <Kept app={app} request={d.request_id} />}</>
}

const asText = (v: unknown) => (typeof v === 'string' || typeof v === 'number' ? String(v) : '')
const stacks = (v: unknown): string => (Array.isArray(v) ? v.map((x: { item_id?: string; count?: number }) => `${x.count ?? 1} × ${x.item_id ?? '?'}`).join(', ') : '')
const money = (v: unknown): string => { const m = v as { type?: string; amount?: number } | null; return m && typeof m === 'object' && m.amount ? `${number(m.amount)} ${m.type ?? ''}` : '' }

/** What the game logged, in its own words: ids are the game's. */
function LoggedRow({ of: e, app, id }: { of: Logged; app: string; id: string }) {
  const t = useText()
  if (e.log === 'trade') {
    const out = e['sender_id'] === id
    const other = asText(out ? e['receiver_id'] : e['sender_id'])
    const gave = [stacks(e['items']), money(e['currency'])].filter(Boolean).join(', ') || t('player.no_goods')
    const back = [stacks(e['return_items']), money(e['return_currency'])].filter(Boolean).join(', ')
    return <><strong>{t(out ? 'player.gave_to' : 'player.got_from')}</strong> {other && <PlayerLink app={app} id={other} />} <bdi>{gave}</bdi>{back && <span className="muted small"> · {t('player.for_it')} <bdi>{back}</bdi></span>}</>
  }
  if (e.log === 'currency') return <><strong>{plain(asText(e['action']))}</strong> <bdi>{`${number(Number(e['amount'] ?? 0))} ${asText(e['currency_type'])}`}</bdi> <span className="muted small"><bdi>{asText(e['source'])}</bdi></span></>
  if (e.log === 'item') return <><strong>{plain(asText(e['action']))}</strong> <bdi>{`${number(Number(e['count'] ?? 1))} × ${asText(e['item_id'])}`}</bdi> <span className="muted small"><bdi>{asText(e['source'])}</bdi></span></>
  return <strong>{t('player.advert')}</strong>
}
