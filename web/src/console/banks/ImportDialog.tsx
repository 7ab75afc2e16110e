import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { ApiError, explain } from '../../lib/api'
import { http, type Answer } from '../../lib/http'
import { useChange } from '../../lib/query'
import { Window } from '../../ui/ActDialog'
import type { BankFound } from './parts'

const formats = ['csv', 'pdq', 'sha256', 'threatexchange'] as const
type Report = Answer<'post', '/image-banks/{name}/imports'>

interface Props { bank: BankFound; app: string; open: boolean; onOpen: (open: boolean) => void }

/** ImportDialog takes a list of hashes in. One with faults is refused as a whole, each with its line; then the others can be taken. */
export function ImportDialog({ open, onOpen, ...rest }: Props) {
  const t = useText()
  return <Window open={open} onOpen={onOpen} title={t('banks.import')} wide><Form {...rest} onDone={() => onOpen(false)} /></Window>
}

function Form({ bank, app, onDone }: { bank: BankFound; app: string; onDone: () => void }) {
  const t = useText()
  const [file, setFile] = useState<File | null>(null)
  const [format, setFormat] = useState<(typeof formats)[number]>('csv')
  const [source, setSource] = useState('')
  const [replace, setReplace] = useState(false)
  const take = useChange((v: { of: File; partial: boolean }) => http.upload('/image-banks/{name}/imports', {
    path: { name: bank.name }, query: { app_id: app, owner: bank.owner, format, source: source.trim(), ...(replace ? { replace } : {}), ...(v.partial ? { partial: true } : {}) },
  }, v.of), ['/image-banks'])
  if (take.data) return <Done of={take.data} onDone={onDone} />
  const lines = take.error instanceof ApiError ? take.error.errors.filter((e) => /^\/\d+$/.test(e.pointer)) : []
  return (
    <form className="form" onSubmit={(e) => { e.preventDefault(); if (file && !take.isPending) take.mutate({ of: file, partial: false }) }}>
      <p className="muted small">{t('banks.import_text')}</p>
      <label className="input"><span>{t('banks.file')}</span><input type="file" onChange={(e) => { setFile(e.target.files?.[0] ?? null); take.reset() }} /></label>
      <label className="input"><span>{t('banks.format')}</span><select value={format} onChange={(e) => { setFormat(e.target.value as typeof format); take.reset() }}>{formats.map((f) => <option key={f} value={f}>{t(`banks.format_${f}`)}</option>)}</select></label>
      <label className="input"><span>{t('banks.source')}</span><input value={source} maxLength={160} onChange={(e) => setSource(e.target.value)} /></label>
      <label className="check"><input type="checkbox" checked={replace} onChange={(e) => setReplace(e.target.checked)} />{t('banks.replace')}</label>
      {take.error && (
        <div className="callout warn" role="alert">
          <p>{lines.length ? t('banks.refused', { n: lines.length }) : explain(take.error)}</p>
          {lines.length > 0 && <ul className="bank-faults">{lines.slice(0, 20).map((l) => <li key={l.pointer}>{t('banks.line', { n: Number(l.pointer.slice(1)) })} <span lang="en">{l.reason}</span></li>)}</ul>}
          {lines.length > 0 && file && <Button className="button small" onPress={() => take.mutate({ of: file, partial: true })}>{t('banks.take_others')}</Button>}
        </div>
      )}
      <div className="dialog-buttons"><Button type="submit" className="button primary" isDisabled={!file || take.isPending}>{t(take.isPending ? 'common.working' : 'banks.import')}</Button></div>
    </form>
  )
}

/** Done says what became of a list. */
function Done({ of, onDone }: { of: Report; onDone: () => void }) {
  const t = useText()
  return (
    <div className="form" role="status">
      <p><strong>{t('banks.imported', { pdq: of.pdq.count, sha256: of.sha256.count })}</strong></p>
      {of.left_out > 0 && <p>{t('banks.left_out_of', { n: of.left_out, low: of.low_quality })}</p>}
      {of.faults.length > 0 && <ul className="bank-faults">{of.faults.slice(0, 20).map((f) => <li key={f.line}>{t('banks.line', { n: f.line })} <span lang="en">{f.reason}</span></li>)}</ul>}
      <div className="dialog-buttons"><Button className="button primary" onPress={onDone}>{t('common.close')}</Button></div>
    </div>
  )
}
