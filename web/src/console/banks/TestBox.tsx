import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { explain } from '../../lib/api'
import { http } from '../../lib/http'
import { categoryName } from '../../lib/words'
import { Card } from '../../ui/Page'
import { placeOfBank, StateChip, type Bank } from './parts'

/** TestBox asks which banks know a picture. The picture is not drawn: it may be what the banks are for. */
export function TestBox({ app, admin }: { app: string; admin: boolean }) {
  const t = useText()
  const [file, setFile] = useState<File | null>(null)
  const ask = useMutation({ mutationFn: (of: File) => http.upload('/image-banks/test', { query: { app_id: app } }, of, of.type.startsWith('image/') ? of.type : 'application/octet-stream') })
  const found = ask.data?.matches
  return (
    <Card title={t('banks.test')}>
      <p className="muted small">{t('banks.test_text')} {!admin && t('banks.test_not_all')}</p>
      <form className="form" onSubmit={(e) => { e.preventDefault(); if (file) ask.mutate(file) }}>
        <label className="input"><span>{t('banks.picture')}</span><input type="file" accept="image/*" onChange={(e) => { setFile(e.target.files?.[0] ?? null); ask.reset() }} /></label>
        <Button type="submit" className="button" isDisabled={!file || ask.isPending}>{t(ask.isPending ? 'common.working' : 'banks.ask')}</Button>
        {ask.error && <p className="fault" role="alert">{explain(ask.error)}</p>}
      </form>
      <div role="status">
        {found && (found.length === 0 ? <p>{t('banks.not_known')}</p> : (
          <ul className="bank-matches">{found.map((m) => (
            <li key={`${m.owner}/${m.bank}`}>
              <p><strong>{categoryName(m.category)}</strong> <a href={placeOfBank({ owner: m.owner, name: m.bank })}>{m.bank}</a> <StateChip of={m.state as Bank['state']} /></p>
              <p className="muted small">{m.distance === 0 ? t('banks.same') : t('banks.near', { n: m.distance })} · <code>{m.entry}</code></p>
            </li>
          ))}</ul>
        ))}
      </div>
    </Card>
  )
}
