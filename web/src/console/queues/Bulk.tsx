import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useText, type TextKey } from '../../i18n/text'
import { explain } from '../../lib/api'
import { http, type Answer } from '../../lib/http'
import { useApi } from '../../lib/query'
import { roleName } from '../../lib/words'
import type { Moderator } from '../../lib/wire'
import { ActDialog } from '../../ui/ActDialog'
import { toast } from '../../ui/Toast'
import type { BulkAct } from './bulkacts'

type Case = Answer<'get', '/cases'>['cases'][number]

interface Props { act: BulkAct | null; cases: readonly Case[]; me: Moderator; onClose: () => void; onDone: (done: string[]) => void }

/** Bulk does the same with several cases, one call each; what could not be done stays chosen and is told. */
export function Bulk({ act, cases, me, onClose, onDone }: Props) {
  const t = useText()
  const client = useQueryClient()
  const [to, setTo] = useState('')
  const people = useApi('/colleagues', {}, { enabled: act === 'handover' })
  if (!act) return null
  const one = (c: Case, reason: string) => {
    const at = { path: { id: c.case_id } }
    const why = reason ? { reason } : {}
    switch (act) {
      case 'release': return http.post('/cases/{id}/release', { ...at, body: { version: c.version, ...why } })
      case 'handover': return http.post('/cases/{id}/handover', { ...at, body: { version: c.version, to, ...why } })
      default: return http.post('/cases/{id}/escalate', { ...at, body: { version: c.version, reason } })
    }
  }
  const run = async (reason: string) => {
    const done: string[] = []
    let left = ''
    let why = ''
    for (const c of cases) {
      try {
        await one(c, reason)
        done.push(c.case_id)
      } catch (err) {
        left = c.case_id
        why = explain(err)
      }
    }
    toast(t('queues.bulk_done', { done: done.length, n: cases.length }))
    if (left) toast(t('queues.bulk_failed', { id: left, why }))
    onDone(done)
    await client.invalidateQueries({ predicate: (q) => /^\/(cases|queues)/.test(String(q.queryKey[0])) })
  }
  const word = t(`queues.bulk_${act}` as TextKey)
  return (
    <ActDialog open onOpen={(open) => { if (!open) onClose() }} title={word} confirm={word} reason={act === 'escalate' ? 'required' : 'optional'} ready={act !== 'handover' || to !== ''} run={run}>
      <p className="muted">{t('queues.bulk_text', { n: cases.length })}</p>
      {act === 'handover' && (
        <label className="input"><span>{t('review.colleague')}</span>
          <select autoFocus value={to} onChange={(e) => setTo(e.target.value)}>
            <option value="">{t('review.choose')}</option>
            {(people.data?.colleagues ?? []).map((c) => <option key={c.name} value={c.name}>{c.name}{c.name === me.name ? '' : ` (${roleName(c.role)})`}</option>)}
          </select></label>
      )}
    </ActDialog>
  )
}
