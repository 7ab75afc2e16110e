import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { ApiError, explain } from '../../lib/api'
import { http } from '../../lib/http'
import { faultsAt, type Fault } from '../../lib/layer'
import { useApi, useChange } from '../../lib/query'
import { can } from '../../lib/roles'
import type { Moderator } from '../../lib/wire'
import { FaultsAt } from '../../ui/Faults'
import { Card, Loaded } from '../../ui/Page'
import { toast } from '../../ui/Toast'
import { goTo, placeOf } from '../route'

interface Body { two_person?: boolean; time_zone?: string }

/** AppSettings are how the app works on its policy: whether two persons publish, and the zone of schedules. */
export function AppSettings({ me, app }: { me: Moderator; app: string }) {
  const t = useText()
  const q = useApi('/policies/settings', { query: { app_id: app } })
  return <Card title={t('policies.tab_settings')}><Loaded of={q}>{(p) => <Form key={p.version} me={me} app={app} version={p.version} was={(p.body ?? {}) as Body} />}</Loaded></Card>
}

function Form({ me, app, version, was }: { me: Moderator; app: string; version: number; was: Body }) {
  const t = useText()
  const [own, setOwn] = useState(was)
  const [faults, setFaults] = useState<readonly Fault[]>([])
  const save = useChange((b: Body) => http.put('/policies/settings', { query: { app_id: app }, body: b, ifMatch: version }), ['/policies'])
  const may = can(me.role, 'policy.edit')
  const run = async () => {
    try {
      const a = await save.mutateAsync(own)
      setFaults([])
      if ('rollout_id' in a) { toast(t('policies.waits')); goTo(placeOf(['policies', 'rollouts', a.layer, a.name, String(a.rollout_id)])) } else toast(t('policies.stored', { n: a.version }))
    } catch (err) { if (err instanceof ApiError) setFaults(err.errors) }
  }
  return (
    <form className="form narrow" onSubmit={(e) => { e.preventDefault(); void run() }}>
      <fieldset disabled={!may} className="form"><legend className="sr-only">{t('policies.tab_settings')}</legend>
        <label className="check"><input type="checkbox" checked={own.two_person ?? false} onChange={(e) => setOwn({ ...own, two_person: e.target.checked })} /><span>{t('policies.two_person')}</span></label>
        <p className="muted small">{t('policies.two_person_text')}</p>
        <label className="input"><span>{t('policies.time_zone')}</span><input value={own.time_zone ?? ''} placeholder="Asia/Tokyo" spellCheck={false} onChange={(e) => { const { time_zone: _, ...rest } = own; setOwn(e.target.value ? { ...rest, time_zone: e.target.value } : rest) }} /><FaultsAt of={faultsAt(faults, '/time_zone')} /></label>
      </fieldset>
      {save.error && faults.length === 0 && <p className="fault" role="alert">{explain(save.error)}</p>}
      {may && <div className="row-of"><Button type="submit" className="button primary" isDisabled={save.isPending || JSON.stringify(own) === JSON.stringify(was)}>{t('common.save')}</Button></div>}
    </form>
  )
}
