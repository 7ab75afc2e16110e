import { useState } from 'react'
import { Button } from 'react-aria-components'
import { api, ApiError, explain } from '../../lib/api'
import { categories, type Moderator } from '../../lib/wire'
import { categoryName, found } from '../../lib/words'
import { CheckIcon, StopIcon } from '../../ui/icons'
import { decidedWord } from './FeedRow'
import type { Row } from './store'

interface Props { row: Row; me: Moderator; onDecided: (d: 'approve' | 'reject') => void; onEnded: () => void }

const may = (role: string) => role === 'moderator' || role === 'senior' || role === 'admin'

function hint(row: Row, held: boolean): string {
  if (row.other) return 'Approve says that nothing is wrong, reject that it is. Neither bans: the game does, with what it knows.'
  return held ? 'The message waits. Approve publishes it, reject keeps it back.' : 'Approve leaves things as they are, reject takes the message back where it was published.'
}

/** The rule of the last decision on this page: the next one often rests on the same. */
let lastRule = ''

/** Decide approves or rejects the case of a row, under the version that was seen. */
export function Decide({ row, me, onDecided, onEnded }: Props) {
  const [rule, setRule] = useState(lastRule)
  const [reason, setReason] = useState('')
  const was = found(row).label[0]?.category ?? ''
  const [category, setCategory] = useState<string>(was)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState('')
  const [version, setVersion] = useState(row.case_version ?? 0)
  const [moved, setMoved] = useState(false)

  const refresh = async () => {
    // Somebody was here first: see whether the case is still open, and at which version.
    const { cases } = await api.openCases(200)
    const now = cases.find((c) => c.case_id === row.case_id)
    if (!now) {
      setMoved(true)
      setError('Somebody else has decided this case.')
      return
    }
    setVersion(now.version)
    setError('The case changed while you looked at it. Decide again to confirm.')
  }

  const decide = async (decision: 'approve' | 'reject') => {
    setBusy(true)
    setError('')
    try {
      const named = decision === 'reject' && category && category !== was ? { category } : {}
      await api.decide(row.case_id as string, { decision, policy: rule.trim(), reason: reason.trim(), ...named }, version)
      lastRule = rule.trim()
      onDecided(decision)
    } catch (err) {
      if (err instanceof ApiError && err.code === 1002) onEnded()
      else if (err instanceof ApiError && err.code === 1007) await refresh().catch((e: unknown) => setError(explain(e)))
      else setError(explain(err))
    }
    setBusy(false)
  }

  if (row.decided) {
    return (
      <section className="decide">
        <h2>Decision</h2>
        <p role="status">{decidedWord(row.decided)}{row.decided.by ? ` by ${row.decided.by}` : ' by somebody else'}.</p>
      </section>
    )
  }
  const held = row.action === 'hold'
  return (
    <section className="decide">
      <h2>Decision</h2>
      {!may(me.role) ? <p className="muted">Your role can see this case but not decide it.</p> : moved ? null : (
        <>
          <p className="muted small">{hint(row, held)}</p>
          <label className="decide-reason"><span>Rule <span className="muted">(what the decision rests on)</span></span>
            <input maxLength={200} value={rule} onChange={(e) => setRule(e.target.value)} />
          </label>
          {row.other ? null : (
            <label className="decide-reason"><span>Category <span className="muted">(of a rejection)</span></span>
              <select value={category} onChange={(e) => setCategory(e.target.value)}>
                {was ? null : <option value="">None was found</option>}
                {[...new Set([...(was ? [was] : []), ...categories])].map((c) => <option key={c} value={c}>{categoryName(c)}</option>)}
              </select>
            </label>
          )}
          <label className="decide-reason"><span>Reason <span className="muted">(kept with the decision)</span></span>
            <textarea rows={2} maxLength={2000} value={reason} onChange={(e) => setReason(e.target.value)} />
          </label>
          <div className="decide-buttons">
            <Button className="button approve" isDisabled={busy} onPress={() => void decide('approve')}><CheckIcon />Approve</Button>
            <Button className="button reject" isDisabled={busy} onPress={() => void decide('reject')}><StopIcon />Reject</Button>
          </div>
        </>
      )}
      <div role="alert" className="form-alert">{error}</div>
    </section>
  )
}
