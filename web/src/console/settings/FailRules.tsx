import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { ApiError, explain } from '../../lib/api'
import { http } from '../../lib/http'
import { at, faultsAt, put, type Body, type Fault } from '../../lib/layer'
import { useApi, useChange } from '../../lib/query'
import { can } from '../../lib/roles'
import type { Moderator } from '../../lib/wire'
import { plain } from '../../lib/words'
import { FaultsAt } from '../../ui/Faults'
import { Card, Empty, Failed, Loaded, Loading } from '../../ui/Page'
import { toast } from '../../ui/Toast'
import { goTo, placeOf } from '../route'

const kinds = ['text', 'name', 'image', 'audio', 'video'] as const
const ways = ['review', 'open', 'closed'] as const
const path = { layer: 'global', name: 'default' }

/** FailRules say what happens where an engine does not answer: for all, and for each kind of content. They stand in the global layer. */
export function FailRules({ me, app }: { me: Moderator; app: string }) {
  const t = useText()
  const q = useApi('/policies/{layer}/{name}', { path, query: { app_id: app } }, { enabled: app !== '' })
  const none = q.error instanceof ApiError && q.error.status === 404
  if (!app) return <Empty title={t('policies.no_app')} text={t('policies.no_app_text')} />
  return (
    <Card title={t('settings.tab_fail')}>
      <p className="muted small">{t('settings.fail_text')}</p>
      {none ? <Form me={me} app={app} version={0} was={{}} /> : q.data ? <Form key={q.data.version} me={me} app={app} version={q.data.version} was={(q.data.body ?? {}) as Body} /> : q.error ? <Failed error={q.error} onRetry={() => void q.refetch()} /> : <Loading />}
    </Card>
  )
}

function Form({ me, app, version, was }: { me: Moderator; app: string; version: number; was: Body }) {
  const t = useText()
  const [own, setOwn] = useState(was)
  const [faults, setFaults] = useState<readonly Fault[]>([])
  const may = can(me.role, 'policy.edit')
  const status = useApi('/status')
  const resolved = useQuery({ queryKey: ['/policies/resolve', app, {}], queryFn: () => http.post('/policies/resolve', { query: { app_id: app }, body: {} }) })
  const save = useChange(() => http.put('/policies/{layer}/{name}', { path, query: { app_id: app, comment: 'fail rules' }, body: own, ifMatch: version }), ['/policies'])
  const run = async () => {
    try {
      const a = await save.mutateAsync(undefined)
      setFaults([])
      if ('rollout_id' in a && 'steps' in a) goTo(placeOf(['policies', 'rollouts', 'global', 'default', String(a.rollout_id)])); else toast(t('policies.stored', { n: a.version }))
    } catch (err) { setFaults(err instanceof ApiError ? err.errors : []) }
  }
  const holds = resolved.data?.settings.find((s) => s.pointer === '/fail')?.value as 'review' | undefined
  const pick = (where: string, label: string, inherit: string, state?: React.ReactNode) => (
    <label className="input"><span>{label}</span>
      <select value={String(at(own, where) ?? '')} onChange={(e) => setOwn(put(own, where, e.target.value || undefined))}><option value="">{inherit}</option>{ways.map((w) => <option key={w} value={w}>{t(`policies.fail_${w}`)}</option>)}</select>
      {state}<FaultsAt of={faultsAt(faults, where)} /></label>
  )
  return (
    <form className="form" onSubmit={(e) => { e.preventDefault(); void run() }}>
      <fieldset disabled={!may} className="form"><legend className="sr-only">{t('settings.tab_fail')}</legend>
        <div className="fields wide-fields">
          {pick('/fail', t('settings.fail_all'), holds ? t('policies.inherit_value', { value: t(`policies.fail_${holds}`) }) : t('policies.inherit'))}
          {kinds.map((k) => pick2(k))}
        </div>
      </fieldset>
      {save.error && faults.length === 0 && <p className="fault" role="alert">{explain(save.error)}</p>}
      {may && <div className="row-of"><Button type="submit" className="button primary" isDisabled={save.isPending || JSON.stringify(own) === JSON.stringify(was)}>{t('common.save')}</Button><a className="button" href={placeOf(['policies', 'at', 'global', 'default'])}>{t('settings.to_global')}</a></div>}
      <Loaded of={status}>{(s) => <ul className="inline-list small">{s.components.filter((c) => c.name.startsWith('engine:')).map((c) => <li key={c.name}>{plain(c.name.slice(7))}: <span className={`chip chip-${c.state === 'ok' ? 'pass' : c.state === 'absent' ? 'seen' : 'block'}`}>{t(`shell.state_${c.state}`)}</span></li>)}</ul>}</Loaded>
    </form>
  )
  function pick2(k: (typeof kinds)[number]) {
    return <span key={k}>{pick(`/fail_by_kind/${k}`, plain(k), t('settings.as_all'))}</span>
  }
}
