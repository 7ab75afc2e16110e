import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { ApiError, explain } from '../../lib/api'
import type { components } from '../../lib/api.gen'
import { http } from '../../lib/http'
import { faultsAt, type Fault } from '../../lib/layer'
import { useApi, useChange } from '../../lib/query'
import { allCategories } from '../../lib/wire'
import { categoryName, number } from '../../lib/words'
import { FaultsAt } from '../../ui/Faults'
import { Card, Loaded } from '../../ui/Page'
import { toast } from '../../ui/Toast'

type Preferences = components['schemas']['Preferences']

/** Wellness is what one asks for oneself: what one would rather not see, and how much is enough. Nobody else sees the count. */
export function Wellness() {
  const t = useText()
  const q = useApi('/me/preferences')
  return <Card title={t('settings.tab_wellness')}><p className="muted small">{t('settings.wellness_text')}</p><Loaded of={q}>{(p) => <Form was={p} />}</Loaded></Card>
}

function Form({ was }: { was: Preferences }) {
  const t = useText()
  const [out, setOut] = useState<readonly string[]>(was.opt_out)
  const [limit, setLimit] = useState(was.exposure_limit)
  const [faults, setFaults] = useState<readonly Fault[]>([])
  const save = useChange(() => http.put('/me/preferences', { body: { opt_out: [...out], exposure_limit: limit } as never }), ['/me'])
  const run = async () => { try { await save.mutateAsync(undefined); setFaults([]); toast(t('settings.saved')) } catch (err) { setFaults(err instanceof ApiError ? err.errors : []) } }
  return (
    <form className="form narrow" onSubmit={(e) => { e.preventDefault(); void run() }}>
      <p>{t('settings.exposure', { n: number(was.exposure_24h) })}</p>
      <label className="input"><span>{t('settings.limit')}</span><input type="number" min={0} max={10_000} value={limit} onChange={(e) => setLimit(Math.max(0, Math.round(Number(e.target.value)) || 0))} /><FaultsAt of={faultsAt(faults, '/exposure_limit')} /></label>
      <p className="muted small">{t('settings.limit_text')}</p>
      <fieldset className="form"><legend>{t('settings.opt_out')}</legend><div className="checks checks-narrow">{allCategories.map((c) => <label key={c} className="check"><input type="checkbox" checked={out.includes(c)} onChange={(e) => setOut(e.target.checked ? [...out, c] : out.filter((x) => x !== c))} /><span>{categoryName(c)}</span></label>)}</div><FaultsAt of={faultsAt(faults, '/opt_out')} /></fieldset>
      {save.error && faults.length === 0 && <p className="fault" role="alert">{explain(save.error)}</p>}
      <div className="row-of"><Button type="submit" className="button primary" isDisabled={save.isPending}>{t('common.save')}</Button></div>
    </form>
  )
}
