import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useText } from '../../i18n/text'
import { ActDialog } from '../../ui/ActDialog'
import { toast } from '../../ui/Toast'
import { download } from './files'

interface Props { open: boolean; onOpen: (open: boolean) => void; app: string; id?: string; locked?: boolean; caseId?: string; player?: string }

/** ExportDialog makes an archive of an item, of a case, or of all there is of a player. */
export function ExportDialog({ open, onOpen, app, id, locked, caseId, player }: Props) {
  const t = useText()
  const client = useQueryClient()
  const choices = [...(id ? ['one' as const] : []), ...(caseId ? ['case' as const] : []), ...(player ? ['player' as const] : [])]
  const [what, setWhat] = useState<'one' | 'case' | 'player' | ''>('')
  const [unlock, setUnlock] = useState(false)
  const of = what || choices[0]
  const run = async (reason: string) => {
    const items = of === 'one' ? { ids: [id] } : of === 'case' ? { case_id: caseId } : { player_id: player, app_id: app }
    await download('POST', 'evidence/export', { ...items, reason, ...(unlock ? { unlock: 'child_safety' } : {}) })
    toast(t('vault.exported'))
    await client.invalidateQueries({ predicate: (q) => String(q.queryKey[0]).startsWith('/evidence') })
  }
  return (
    <ActDialog open={open} onOpen={onOpen} title={t('vault.export')} confirm={t('vault.export')} ready={of !== undefined} run={run}>
      <p className="muted">{t('vault.export_text')}</p>
      <label className="input"><span>{t('vault.export_what')}</span>
        <select value={of} onChange={(e) => setWhat(e.target.value as 'one')}>{choices.map((c) => <option key={c} value={c}>{t(`vault.export_${c}` as 'vault.export_one')}</option>)}</select></label>
      {locked && <label className="check"><input type="checkbox" checked={unlock} onChange={(e) => setUnlock(e.target.checked)} />{t('vault.unlock')}</label>}
    </ActDialog>
  )
}
