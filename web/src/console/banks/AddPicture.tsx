import { useState } from 'react'
import { useText } from '../../i18n/text'
import { http } from '../../lib/http'
import { useChange } from '../../lib/query'
import { ActDialog } from '../../ui/ActDialog'
import { toast } from '../../ui/Toast'
import { isGrave, type BankFound } from './parts'

/** AddPicture puts one picture into a bank: its hashes are kept, the picture is not. */
export function AddPicture({ bank, app, open, onOpen }: { bank: BankFound; app: string; open: boolean; onOpen: (open: boolean) => void }) {
  const t = useText()
  const [file, setFile] = useState<File | null>(null)
  const [source, setSource] = useState('')
  const add = useChange((of: File) => http.upload('/image-banks/{name}/pictures', { path: { name: bank.name }, query: { app_id: app, owner: bank.owner, source: source.trim() } }, of, of.type.startsWith('image/') ? of.type : 'application/octet-stream'), ['/image-banks'])
  return (
    <ActDialog open={open} onOpen={onOpen} title={t('banks.add_picture')} confirm={t('banks.add')} reason="none" ready={file !== null} {...(isGrave(bank.category) ? { typed: bank.name } : {})}
      run={async () => { await add.mutateAsync(file as File); setFile(null); toast(t('banks.added')) }}>
      <p className="muted small">{t('banks.add_text')}</p>
      <label className="input"><span>{t('banks.picture')}</span><input type="file" accept="image/*" onChange={(e) => setFile(e.target.files?.[0] ?? null)} /></label>
      <label className="input"><span>{t('banks.source')}</span><input value={source} maxLength={160} onChange={(e) => setSource(e.target.value)} /></label>
    </ActDialog>
  )
}
