import { useCallback, useEffect, useRef, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'react-aria-components'
import { useText, type TextKey } from '../../i18n/text'
import { explain } from '../../lib/api'
import { useApi } from '../../lib/query'
import { can } from '../../lib/roles'
import { useStore } from '../../lib/store'
import { categoryName, plain } from '../../lib/words'
import type { Moderator } from '../../lib/wire'
import { ActDialog } from '../../ui/ActDialog'
import { Empty, Failed, Forbidden, Loading, Page } from '../../ui/Page'
import { toast } from '../../ui/Toast'
import { placeOf } from '../route'
import { useShortcuts } from '../shortcuts'
import { Acts, doneWords, Last } from './Acts'
import { BreakNudge, OnBreak } from './Break'
import { care, dangerous } from './care'
import { CareDialog } from './CareDialog'
import { CaseBody, firstSight, nextSight } from './CaseBody'
import { CaseHead, queueName } from '../caseparts'
import { choose, Decision, missing, rulingOf, type Choice } from './Decision'
import { Lease } from './Lease'
import { Lost } from './Lost'
import { Moves, type Asked } from './Moves'
import type { Seen } from './Picture'
import { templates, type Side } from './templates'
import { useDesk } from './useDesk'

interface Props { me: Moderator; queue: string; first: string; onQueue: (q: string) => void }

/** What the person has done with the case that is looked at; of the one before nothing stays. */
interface At { id: string; seen: Seen; grey: boolean; choice: Choice | null; sure: boolean }

/** Bench is the review screen at work: one case after the other. */
export function Bench({ me, queue, first, onQueue }: Props) {
  const t = useText()
  const client = useQueryClient()
  const { desk, state } = useDesk(queue, first)
  const { grey: greyed, words } = useStore(care)
  const [at, setAt] = useState<At | null>(null)
  const [asked, setAsked] = useState<Asked>(null)
  const [caring, setCaring] = useState(false)
  const [resting, setResting] = useState(false)
  const talk = useRef<HTMLOListElement>(null)
  const own = useApi('/me/preferences', {}, { every: 60_000 })
  const none = state.phase === 'empty' && !state.sending
  const work = state.now
  const file = work?.file
  // Each case that is taken, and that there is none, is a change of what waits, here and on the page of queues.
  useEffect(() => {
    void client.invalidateQueries({ queryKey: ['/queues'] })
    void client.invalidateQueries({ queryKey: ['/cases'] })
  }, [none, file?.case_id, client])
  const now: At | null = file ? (at?.id === `${file.case_id} ${file.version}` ? at : { id: `${file.case_id} ${file.version}`, seen: firstSight(file, words), grey: greyed, choice: null, sure: false }) : null
  const choice = now?.choice ?? null
  const change = (c: Partial<At>) => { if (now) setAt({ ...now, ...c }) }

  const open = (side: Side, pick = 0) => { if (file) change({ choice: choose(file, side, pick, (k) => t(k), work?.draft) }) }
  const pick = (n: number) => {
    if (!file) return
    if (!choice) return open('reject', n)
    const key = templates(file, choice.side)[n]
    if (key) change({ choice: { ...choice, pick: n, reason: t(key) } })
  }
  const undo = useCallback(async () => {
    try {
      await desk.undo(t('review.undo_reason'))
    } catch (err) {
      toast(explain(err))
    }
  }, [desk, t])
  const send = () => {
    if (!file || !choice) return
    const ruling = rulingOf(choice, file)
    desk.decide(ruling)
    void client.invalidateQueries({ queryKey: ['/me/preferences'] })
    document.getElementById('main')?.focus()
  }
  const submit = () => {
    if (!file || !choice || missing(choice, file)) return
    if (dangerous(file) || dangerous({ category: choice.category, severity: choice.severity })) change({ sure: true })
    else send()
  }
  const part: typeof desk.part = async (what, body) => {
    await desk.part(what, body)
    toast(t(`review.moved_${what}` as TextKey))
  }
  const release = () => { part('release', {}).catch((err: unknown) => toast(explain(err))) }
  const renew = () => { desk.renew(true).catch((err: unknown) => toast(explain(err))) }
  const read = (by: 1 | -1) => {
    const lines = [...(talk.current?.querySelectorAll<HTMLElement>('.talk-line') ?? [])]
    const from = lines.findIndex((l) => l === document.activeElement)
    const to = from < 0 ? lines.findIndex((l) => l.classList.contains('talk-item')) + by : from + by
    lines[Math.max(0, Math.min(lines.length - 1, to))]?.focus()
  }
  const focusOn = (id: string) => () => { if (!choice) open('reject'); setTimeout(() => document.getElementById(id)?.focus(), 0) }

  useShortcuts(!file || resting ? (state.last ? { undo: () => void undo() } : {}) : {
    approve: () => open('approve'), reject: () => open('reject'), submit, close: () => change({ choice: null, sure: false }),
    reason: focusOn('review-reason'), category: focusOn('review-category'),
    pick1: () => pick(0), pick2: () => pick(1), pick3: () => pick(2), pick4: () => pick(3), pick5: () => pick(4),
    uncover: () => change({ seen: nextSight(now?.seen ?? 'covered', file) }), grey: () => change({ grey: !now?.grey }), sound: () => document.querySelector<HTMLElement>('.case .audio-clip button')?.click(),
    escalate: () => setAsked('escalate'), putAside: () => setAsked('hold'), handover: () => setAsked('handover'), skip: () => setAsked('skip'), release,
    next: () => read(1), previous: () => read(-1),
    ...(state.last ? { undo: () => void undo() } : {}),
  })

  if (!can(me.role, 'cases.decide')) return <Page title={t('review.title')}><Forbidden /></Page>
  const actions = (
    <>
      <label className="queue-choice"><span className="sr-only">{t('review.queue')}</span><QueueChoice queue={queue} onQueue={onQueue} /></label>
      <span className="muted small" title={t('review.exposure_private')}>{t('review.exposure', { n: own.data?.exposure_24h ?? 0 })}</span>
      <span className="muted small">{state.sending ? t('review.sending', { n: state.sending }) : t('review.count', { n: state.done })}</span>
      <a className="button small" href={placeOf(['settings', 'guide'])}>{t('review.how')}</a>
      <Button className="button small" onPress={() => setCaring(true)}>{t('review.care')}</Button>
    </>
  )
  return (
    <Page title={t('review.title')} actions={actions} className="review">
      <p className="sr-only" role="status">{state.last ? t('review.done', doneWords(state.last, t)) : ''}</p>
      <Lost desk={desk} lost={state.lost} />
      {!resting && <BreakNudge onBreak={() => { setResting(true); desk.leave().forEach((id) => void desk.give(id)) }} />}
      {resting
        ? <OnBreak onBack={() => setResting(false)} onEnd={() => { release(); setResting(false) }} has={Boolean(file)} />
        : state.phase === 'failed' ? <Failed error={state.fault} onRetry={() => void desk.begin()} />
        : state.phase === 'empty' ? <Empty title={t('review.empty')} text={t('review.empty_text')} action={<span className="row-of"><Button className="button" onPress={() => void desk.begin()}>{t('review.look_again')}</Button>{state.last && <Last of={state.last} onUndo={() => void undo()} />}</span>} />
        : !file || !now || !work ? <Loading />
        : (
          <article className="case" aria-label={t('review.case')} data-case={file.case_id}>
            <CaseHead of={file}><Lease until={work.until} onRenew={renew} /></CaseHead>
            <CaseBody file={file} me={me} seen={now.seen} grey={now.grey} talk={talk} {...(choice?.side === 'reject' ? { category: choice.category } : {})}
              onUncover={() => change({ seen: nextSight(now.seen, file) })} onGrey={() => change({ grey: !now.grey })} />
            <footer className="case-foot">
              {choice
                ? <Decision file={file} choice={choice} onChange={(c) => change({ choice: c })} onSubmit={submit} onCancel={() => { change({ choice: null }); document.getElementById('main')?.focus() }} />
                : <Acts appeal={file.kind === 'appeal'} onSide={open} onAsk={setAsked} onRelease={release}>{state.last && <Last of={state.last} onUndo={() => void undo()} />}</Acts>}
            </footer>
          </article>
        )}
      {file && <Moves asked={asked} me={me} onClose={() => setAsked(null)} part={part} />}
      {file && choice && (
        <ActDialog open={Boolean(now?.sure)} onOpen={(on) => { if (!on) change({ sure: false }) }} title={t('review.sure')} confirm={t('review.sure_confirm')} reason="none" danger={choice.side === 'approve'} run={async () => send()}>
          <p>{t('review.sure_text', { what: t(choice.side === 'approve' ? 'review.approve' : 'review.reject'), category: choice.category ? categoryName(choice.category) : plain(file.kind ?? 'content') })}</p>
        </ActDialog>
      )}
      <CareDialog open={caring} onOpen={setCaring} />
    </Page>
  )
}

function QueueChoice({ queue, onQueue }: { queue: string; onQueue: (q: string) => void }) {
  const t = useText()
  const q = useApi('/queues', {}, { every: 30_000 })
  const names = [...new Set(['general', ...(q.data?.rules ?? []).map((r) => r.queue)])]
  const count = (name: string) => q.data?.queues.find((x) => x.queue === name)?.open ?? 0
  return (
    <select value={queue} onChange={(e) => onQueue(e.target.value)}>
      <option value="">{t('review.all_queues')}</option>
      {names.map((n) => <option key={n} value={n}>{t('review.queue_open', { queue: queueName(n), n: count(n) })}</option>)}
    </select>
  )
}
