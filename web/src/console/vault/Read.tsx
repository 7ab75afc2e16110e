import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useText } from '../../i18n/text'
import { address } from '../../lib/http'
import { ActDialog } from '../../ui/ActDialog'
import { toast } from '../../ui/Toast'
import { download } from './files'
import type { Evidence } from './marks'

/** Read asks before content leaves the vault: the reading is put on the chain. */
export function Read({ open, onOpen, of: e }: { open: boolean; onOpen: (open: boolean) => void; of: Evidence }) {
  const t = useText()
  const client = useQueryClient()
  const [sure, setSure] = useState(false)
  const run = async () => {
    await download('GET', address('/evidence/{id}', { id: e.evidence_id }, e.locked ? { unlock: 'child_safety' } : {}))
    toast(t('vault.read_done'))
    await client.invalidateQueries({ predicate: (q) => String(q.queryKey[0]).startsWith('/evidence') })
  }
  return (
    <ActDialog open={open} onOpen={onOpen} title={t('vault.read')} confirm={t('vault.read_confirm')} reason="none" danger={e.locked} ready={!e.locked || sure} run={run}>
      <p>{t('vault.read_text')}</p>
      {e.locked && <><p className="callout warn">{t('vault.unlock_text')}</p><label className="check"><input type="checkbox" checked={sure} onChange={(x) => setSure(x.target.checked)} />{t('vault.unlock')}</label></>}
    </ActDialog>
  )
}
