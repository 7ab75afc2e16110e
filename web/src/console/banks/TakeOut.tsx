import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { http } from '../../lib/http'
import { useChange } from '../../lib/query'
import { ActDialog } from '../../ui/ActDialog'
import { Card } from '../../ui/Page'
import { toast } from '../../ui/Toast'
import type { BankFound } from './parts'

/** TakeOut has one entry count no more: a picture that is in a list by mistake, as a match names it. */
export function TakeOut({ bank, app }: { bank: BankFound; app: string }) {
  const t = useText()
  const [entry, setEntry] = useState('')
  const [asking, setAsking] = useState(false)
  const read = /^(pdq|sha256)\/(\d{1,15})$/.exec(entry.trim().split('#').at(-1) ?? '')
  const out = useChange((v: { kind: 'pdq' | 'sha256'; number: number }) => http.delete('/image-banks/{name}/entries/{kind}/{number}', { path: { name: bank.name, ...v }, query: { app_id: app, owner: bank.owner } }), ['/image-banks'])
  return (
    <Card title={t('banks.out')}>
      <p className="muted small">{t('banks.out_text')}</p>
      <form className="fields" onSubmit={(e) => { e.preventDefault(); if (read) setAsking(true) }}>
        <label className="input"><span>{t('banks.entry')}</span><input value={entry} maxLength={128} placeholder="pdq/17" spellCheck={false} autoComplete="off" onChange={(e) => setEntry(e.target.value)} /></label>
        <Button type="submit" className="button" isDisabled={!read}>{t('banks.take_out')}</Button>
      </form>
      <ActDialog open={asking} onOpen={setAsking} title={t('banks.out')} confirm={t('banks.take_out')} danger reason="none"
        run={async () => { if (read) await out.mutateAsync({ kind: read[1] as 'pdq', number: Number(read[2]) }); setEntry(''); toast(t('banks.stored')) }}>
        <p>{t('banks.out_confirm', { entry: read ? read[0] : '' })}</p>
      </ActDialog>
    </Card>
  )
}
