// The dialogs of what else can be done with a case.
import { useState } from 'react'
import { useText } from '../../i18n/text'
import { useApi } from '../../lib/query'
import { dayTime, roleName } from '../../lib/words'
import type { Moderator } from '../../lib/wire'
import { ActDialog } from '../../ui/ActDialog'
import { queueName } from '../caseparts'
import type { Motion } from './calls'
import { skips } from './templates'

export type Asked = 'escalate' | 'hold' | 'handover' | 'skip' | null
interface Props { asked: Asked; me: Moderator; onClose: () => void; part: (what: Motion, body: object) => Promise<void> }

/** Moves is whichever of the dialogs was asked for. */
export function Moves({ asked, me, onClose, part }: Props) {
  const close = (open: boolean) => { if (!open) onClose() }
  return (
    <>
      <Escalate open={asked === 'escalate'} onOpen={close} part={part} />
      <Hold open={asked === 'hold'} onOpen={close} part={part} />
      <HandOver open={asked === 'handover'} onOpen={close} part={part} me={me} />
      <Skip open={asked === 'skip'} onOpen={close} part={part} />
    </>
  )
}

interface One { open: boolean; onOpen: (open: boolean) => void; part: Props['part'] }

function Escalate({ open, onOpen, part }: One) {
  const t = useText()
  const [queue, setQueue] = useState('')
  const q = useApi('/queues', {}, { enabled: open })
  const names = [...new Set(['general', ...(q.data?.rules ?? []).map((r) => r.queue)])]
  return (
    <ActDialog open={open} onOpen={onOpen} title={t('review.escalate')} confirm={t('review.escalate')} run={(reason) => part('escalate', { reason, ...(queue ? { queue } : {}) })}>
      <p className="muted">{t('review.escalate_text')}</p>
      <label className="input"><span>{t('review.queue')}</span>
        <select autoFocus value={queue} onChange={(e) => setQueue(e.target.value)}>
          <option value="">{t('review.seniors')}</option>
          {names.map((n) => <option key={n} value={n}>{queueName(n)}</option>)}
        </select></label>
    </ActDialog>
  )
}

const hour = 3_600_000
/** The times until which a case is put aside, as offered now; at most so many ms ahead. */
function untils(most: number): { key: 'review.in_1h' | 'review.in_4h' | 'review.tomorrow' | 'review.in_3d' | 'review.in_7d'; at: Date }[] {
  const now = new Date()
  const tomorrow = new Date(now)
  tomorrow.setDate(now.getDate() + 1)
  tomorrow.setHours(9, 0, 0, 0)
  const later = (ms: number) => new Date(+now + ms)
  const all = [
    { key: 'review.in_1h' as const, at: later(hour) }, { key: 'review.in_4h' as const, at: later(4 * hour) }, { key: 'review.tomorrow' as const, at: tomorrow },
    { key: 'review.in_3d' as const, at: later(72 * hour) }, { key: 'review.in_7d' as const, at: later(168 * hour) },
  ]
  return all.filter((u) => +u.at - +now <= most)
}

function Hold({ open, onOpen, part }: One) {
  const t = useText()
  const [at, setAt] = useState(0)
  const q = useApi('/queues', {}, { enabled: open })
  const most = (q.data?.hold_within_s ?? Infinity) * 1000
  const list = untils(most)
  return (
    <ActDialog open={open} onOpen={onOpen} title={t('review.hold')} confirm={t('review.hold')} ready={list.length > 0}
      run={(reason) => part('hold', { reason, until: (list[at] ?? list[0])?.at.toISOString() })}>
      <p className="muted">{t('review.hold_text')}</p>
      <label className="input"><span>{t('review.until')}</span>
        <select autoFocus value={at} onChange={(e) => setAt(Number(e.target.value))}>{list.map((u, i) => <option key={u.key} value={i}>{t(u.key)} ({dayTime(u.at)})</option>)}</select></label>
    </ActDialog>
  )
}

function HandOver({ open, onOpen, part, me }: One & { me: Moderator }) {
  const t = useText()
  const [to, setTo] = useState('')
  const q = useApi('/colleagues', {}, { enabled: open })
  const others = (q.data?.colleagues ?? []).filter((c) => c.name !== me.name)
  return (
    <ActDialog open={open} onOpen={onOpen} title={t('review.handover')} confirm={t('review.handover')} reason="optional" ready={to !== ''}
      run={(reason) => part('handover', { to, ...(reason ? { reason } : {}) })}>
      <p className="muted">{t('review.handover_text')}</p>
      {q.data && others.length === 0 && <p className="callout">{t('review.nobody_else')}</p>}
      <label className="input"><span>{t('review.colleague')}</span>
        <select autoFocus value={to} onChange={(e) => setTo(e.target.value)}>
          <option value="">{t('review.choose')}</option>
          {others.map((c) => <option key={c.name} value={c.name}>{c.name} ({roleName(c.role)})</option>)}
        </select></label>
    </ActDialog>
  )
}

function Skip({ open, onOpen, part }: One) {
  const t = useText()
  const [at, setAt] = useState(0)
  return (
    <ActDialog open={open} onOpen={onOpen} title={t('review.skip')} confirm={t('review.skip')} reason="optional" run={(reason) => part('skip', { reason: reason || t(skips[at] as (typeof skips)[number]) })}>
      <p className="muted">{t('review.skip_text')}</p>
      <fieldset className="picks">
        <legend className="sr-only">{t('review.because')}</legend>
        {skips.map((key, i) => <label key={key} className="pick"><input type="radio" name="skip" autoFocus={i === 0} checked={at === i} onChange={() => setAt(i)} /><span>{t(key)}</span></label>)}
      </fieldset>
    </ActDialog>
  )
}
