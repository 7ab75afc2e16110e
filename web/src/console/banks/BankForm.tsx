import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { explain } from '../../lib/api'
import { bytes } from '../../lib/words'
import { Card } from '../../ui/Page'
import { Time } from '../../ui/Time'
import { toast } from '../../ui/Toast'
import { useBank } from './change'
import type { BankFound } from './parts'

const within = (v: string, most: number) => Math.max(0, Math.min(most, Math.round(Number(v) || 0)))

/** BankForm is how near a picture must come, and what is said of the bank. Its category and owner never change. */
export function BankForm({ bank, app, may }: { bank: BankFound; app: string; may: boolean }) {
  const t = useText()
  const [v, setV] = useState({ threshold: bank.threshold, least_quality: bank.least_quality, sub_label: bank.sub_label ?? '', note: bank.note ?? '' })
  const store = useBank(bank, app)
  const put = (c: Partial<typeof v>) => setV({ ...v, ...c })
  return (
    <Card title={t('banks.settings')}>
      <form className="form" onSubmit={(e) => { e.preventDefault(); store.mutate(v, { onSuccess: () => toast(t('banks.stored')) }) }}>
        <fieldset className="form" disabled={!may}>
          <legend className="sr-only">{t('banks.settings')}</legend>
          <label className="input"><span>{t('banks.threshold')}</span><input type="number" min={0} max={43} value={v.threshold} onChange={(e) => put({ threshold: within(e.target.value, 43) })} /><span className="muted small">{t('banks.threshold_text')}</span></label>
          <label className="input"><span>{t('banks.least_quality')}</span><input type="number" min={0} max={100} value={v.least_quality} onChange={(e) => put({ least_quality: within(e.target.value, 100) })} /><span className="muted small">{t('banks.least_quality_text')}</span></label>
          <label className="input"><span>{t('banks.sub_label')}</span><input value={v.sub_label} maxLength={64} placeholder="known_image" spellCheck={false} autoComplete="off" onChange={(e) => put({ sub_label: e.target.value })} /></label>
          <label className="input"><span>{t('common.note')}</span><textarea rows={3} maxLength={2000} value={v.note} onChange={(e) => put({ note: e.target.value })} /></label>
        </fieldset>
        {store.error && <p className="fault" role="alert">{explain(store.error)}</p>}
        {may && <div><Button type="submit" className="button" isDisabled={store.isPending}>{t(store.isPending ? 'common.working' : 'common.save')}</Button></div>}
      </form>
      <p className="muted small">{t('banks.made_by', { by: bank.created_by, memory: bytes(bank.memory_bytes), gone: bank.retired_entries })} <Time at={bank.created_at} /></p>
    </Card>
  )
}
