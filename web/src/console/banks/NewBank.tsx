import { useState } from 'react'
import { useText } from '../../i18n/text'
import { http } from '../../lib/http'
import { useChange } from '../../lib/query'
import { categoryName } from '../../lib/words'
import { ActDialog } from '../../ui/ActDialog'
import { Field } from '../../ui/Field'
import { goTo } from '../route'
import { bankCategories, isGrave, placeOfBank, type Owner } from './parts'

/** NewBank makes a bank, under test: it only counts what it finds until somebody puts it live. */
export function NewBank({ app, open, onOpen }: { app: string; open: boolean; onOpen: (open: boolean) => void }) {
  const t = useText()
  const [name, setName] = useState('')
  const [owner, setOwner] = useState<Owner>('app')
  const [category, setCategory] = useState('ip_infringement')
  const [note, setNote] = useState('')
  const make = useChange(() => http.put('/image-banks/{name}', { path: { name }, query: { app_id: app, owner }, body: { category, ...(note.trim() ? { note: note.trim() } : {}) } }), ['/image-banks'])
  const fits = /^[a-z0-9][a-z0-9_-]{0,47}$/.test(name) && name !== 'test'
  return (
    <ActDialog open={open} onOpen={onOpen} title={t('banks.new')} confirm={t('banks.make')} reason="none" ready={fits} run={async () => goTo(placeOfBank(await make.mutateAsync(undefined)))}>
      <Field label={t('common.name')} hint={t('banks.name_hint')} value={name} onChange={setName} autoComplete="off" />
      <label className="input"><span>{t('banks.category')}</span><select value={category} onChange={(e) => setCategory(e.target.value)}>{bankCategories.map((c) => <option key={c} value={c}>{categoryName(c)}</option>)}</select></label>
      {isGrave(category) && <p className="callout warn small">{t('banks.grave_text')}</p>}
      <label className="input"><span>{t('banks.owner')}</span><select value={owner} onChange={(e) => setOwner(e.target.value as Owner)}><option value="app">{t('banks.owner_app')}</option><option value="all">{t('banks.owner_all')}</option></select></label>
      <label className="input"><span>{t('common.note')}</span><textarea rows={2} maxLength={2000} value={note} onChange={(e) => setNote(e.target.value)} /></label>
      <p className="muted small">{t('banks.new_text')}</p>
    </ActDialog>
  )
}
