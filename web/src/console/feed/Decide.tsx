import { useState } from 'react'
import { Button } from 'react-aria-components'
import { text, useText } from '../../i18n/text'
import { can } from '../../lib/roles'
import { api, ApiError, explain } from '../../lib/api'
import { categories, type Moderator } from '../../lib/wire'
import { categoryName, found } from '../../lib/words'
import { CheckIcon, StopIcon } from '../../ui/icons'
import { decidedWord } from './FeedRow'
import type { Row } from './store'

interface Props { row: Row; me: Moderator; onDecided: (d: 'approve' | 'reject') => void; onEnded: () => void }

function hint(row: Row, held: boolean): string {
  if (row.other) return text('feed.hint_other')
  return text(held ? 'feed.hint_held' : 'feed.hint_published')
}

/** The rule of the last decision on this page: the next one often rests on the same. */
let lastRule = ''

/** Decide approves or rejects the case of a row, under the version that was seen. */
export function Decide({ row, me, onDecided, onEnded }: Props) {
  const t = useText()
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
      setError(t('feed.gone'))
      return
    }
    setVersion(now.version)
    setError(t('feed.moved'))
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
        <h2>{t('feed.decision')}</h2>
        <p role="status">{row.decided.by ? t('feed.decided_by', { what: decidedWord(row.decided), who: row.decided.by }) : t('feed.decided_other', { what: decidedWord(row.decided) })}</p>
      </section>
    )
  }
  const held = row.action === 'hold'
  return (
    <section className="decide">
      <h2>{t('feed.decision')}</h2>
      {!can(me.role, 'cases.decide') ? <p className="muted">{t('feed.may_not')}</p> : moved ? null : (
        <>
          <p className="muted small">{hint(row, held)}</p>
          <label className="decide-reason"><span>{t('feed.rule')} <span className="muted">{t('feed.rule_hint')}</span></span>
            <input maxLength={200} value={rule} onChange={(e) => setRule(e.target.value)} />
          </label>
          {row.other ? null : (
            <label className="decide-reason"><span>{t('feed.category')} <span className="muted">{t('feed.category_hint')}</span></span>
              <select value={category} onChange={(e) => setCategory(e.target.value)}>
                {was ? null : <option value="">{t('feed.no_category')}</option>}
                {[...new Set([...(was ? [was] : []), ...categories])].map((c) => <option key={c} value={c}>{categoryName(c)}</option>)}
              </select>
            </label>
          )}
          <label className="decide-reason"><span>{t('feed.reason')} <span className="muted">{t('feed.reason_hint')}</span></span>
            <textarea rows={2} maxLength={2000} value={reason} onChange={(e) => setReason(e.target.value)} />
          </label>
          <div className="decide-buttons">
            <Button className="button approve" isDisabled={busy} onPress={() => void decide('approve')}><CheckIcon />{t('feed.approve')}</Button>
            <Button className="button reject" isDisabled={busy} onPress={() => void decide('reject')}><StopIcon />{t('feed.reject')}</Button>
          </div>
        </>
      )}
      <div role="alert" className="form-alert">{error}</div>
    </section>
  )
}
