import '../styles/caseparts.css'
import type { ReactNode } from 'react'
import { hasText, text, useText } from '../i18n/text'
import { ago, categoryName, plain } from '../lib/words'
import { ClockIcon, FlagIcon, HoldIcon, StopIcon, WarnIcon } from '../ui/icons'
import type { Case } from './review/calls'

/** The name of a queue: of those that come with the gateway in the language, of others as they are called. */
export function queueName(id: string): string {
  const key = `queues.name_${id.replaceAll('-', '_')}`
  return hasText(key) ? text(key) : plain(id)
}

/** Severity is a grade in words, bars and colour. */
export function Severity({ n }: { n: number }) {
  const t = useText()
  if (n <= 0) return null
  return (
    <span className={`severity severity-${n}`}>
      <span className="severity-bars" aria-hidden="true">{[1, 2, 3, 4].map((i) => <i key={i} className={i <= n ? 'on' : ''} />)}</span>
      {t('review.severity', { n })}
    </span>
  )
}

const past = (at: string) => Date.parse(at) < Date.now()

/** Due says until when a case should be decided, and that it is late. */
export function Due({ at }: { at: string | undefined }) {
  const t = useText()
  if (!at) return <span className="muted">–</span>
  const late = past(at)
  return <span className={late ? 'due due-late' : 'due'}>{late ? <WarnIcon size={13} /> : <ClockIcon size={13} />}{t(late ? 'review.overdue' : 'review.due', { when: ago(at) })}</span>
}

/** The state of a case in a word and a shape. */
export function StateChip({ of: c }: { of: Case }) {
  const t = useText()
  switch (c.state) {
    case 'closed': return <span className={`chip ${c.decision === 'reject' ? 'chip-block' : 'chip-pass'}`}><StopIcon size={13} />{t(c.undone ? 'review.turned' : c.decision === 'reject' ? 'review.rejected' : 'review.approved')}</span>
    case 'held': return <span className="chip chip-hold"><HoldIcon size={13} />{t('review.put_aside')}</span>
    case 'escalated': return <span className="chip chip-review"><FlagIcon size={13} />{t('review.escalated')}</span>
    case 'claimed': return <span className="chip chip-mask"><ClockIcon size={13} />{t('review.claimed')}</span>
    default: return <span className="chip chip-seen">{t('review.open')}</span>
  }
}

/** CaseHead is what a case is, in one line. */
export function CaseHead({ of: c, children }: { of: Case; children?: ReactNode }) {
  const t = useText()
  return (
    <div className="case-head">
      <h2>{c.category ? categoryName(c.category) : c.kind ? plain(c.kind) : t('review.no_label')}{c.sub_label && <span className="muted"> · {plain(c.sub_label)}</span>}</h2>
      <Severity n={c.severity ?? 0} />
      {c.kind && c.category && <span className="chip chip-hold">{plain(c.kind)}</span>}
      {c.held && <span className="chip chip-hold"><HoldIcon size={13} />{t('review.waits')}</span>}
      {c.escalated && c.state !== 'escalated' && <span className="chip chip-review"><FlagIcon size={13} />{t('review.escalated')}</span>}
      <Due at={c.due_at} />
      <span className="muted small">{t('review.in_queue', { queue: queueName(c.queue ?? 'general') })}</span>
      <span className="grow" />
      {children}
    </div>
  )
}
