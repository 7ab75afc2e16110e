import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useText } from '../../i18n/text'
import { http } from '../../lib/http'
import { ActDialog } from '../../ui/ActDialog'
import { keep } from './files'
import type { Evidence } from './marks'

/** HandOff prepares the record that a report to an authority needs, and gives it as a file. */
export function HandOff({ open, onOpen, of: e }: { open: boolean; onOpen: (open: boolean) => void; of: Evidence }) {
  const t = useText()
  const client = useQueryClient()
  const [authority, setAuthority] = useState('')
  const [reference, setReference] = useState('')
  const [unlock, setUnlock] = useState(false)
  const run = async () => {
    const record = await http.post('/evidence/{id}/handoff', {
      path: { id: e.evidence_id }, body: { authority: authority.trim(), ...(reference.trim() ? { reference: reference.trim() } : {}), ...(unlock ? { unlock: 'child_safety' as const } : {}) },
    })
    keep(new Blob([`${JSON.stringify(record, null, 2)}\n`], { type: 'application/json' }), `record-${e.evidence_id}.json`)
    await client.invalidateQueries({ predicate: (q) => String(q.queryKey[0]).startsWith('/evidence') })
  }
  return (
    <ActDialog open={open} onOpen={onOpen} title={t('vault.handoff')} confirm={t('vault.prepare')} reason="none" ready={authority.trim() !== '' && (!e.locked || unlock)} run={run}>
      <p className="muted">{t('vault.handoff_text')}</p>
      <label className="input"><span>{t('vault.authority')}</span><input autoFocus maxLength={128} value={authority} onChange={(x) => setAuthority(x.target.value)} /></label>
      <label className="input"><span>{t('vault.reference')}</span><input maxLength={128} value={reference} onChange={(x) => setReference(x.target.value)} /></label>
      {e.locked && <label className="check"><input type="checkbox" checked={unlock} onChange={(x) => setUnlock(x.target.checked)} />{t('vault.unlock')}</label>}
    </ActDialog>
  )
}
