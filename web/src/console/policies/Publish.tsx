import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { ApiError, explain } from '../../lib/api'
import { http } from '../../lib/http'
import { within, type Body } from '../../lib/layer'
import { useChange } from '../../lib/query'
import { ActDialog } from '../../ui/ActDialog'
import { Card, Loading } from '../../ui/Page'
import { toast } from '../../ui/Toast'
import { goTo, placeOf } from '../route'
import { Differences } from './parts'
import { RolloutDialog } from './RolloutDialog'
import type { Draft } from './useDraft'

interface Props { d: Draft; app: string; layer: string; name: string; version: number; may: boolean; removable: boolean }

const proposed = (r: object): r is { rollout_id: string } => 'rollout_id' in r && typeof r.rollout_id === 'string' && 'steps' in r

/** What the form tells at its fields, or above it, needs no dialog any more: undefined then. */
const shown = <T,>(answer: Promise<T>): Promise<T | undefined> => answer.catch((err: unknown) => {
  if (err instanceof ApiError && (err.code === 1001 || err.code === 1007)) return undefined
  throw err
})

/** Publish shows what differs from what is stored, and takes it there: at once, or by a rollout. */
export function Publish({ d, app, layer, name, version, may, removable }: Props) {
  const t = useText()
  const [asking, setAsking] = useState<'store' | 'rollout' | 'remove' | null>(null)
  const path = { layer, name }
  const touched = ['/policies', '/lists']
  const store = useChange(async (comment: string) => {
    try {
      return await http.put('/policies/{layer}/{name}', { path, query: { app_id: app, comment }, body: d.body, ifMatch: d.base })
    } catch (err) { d.refused(err); throw err }
  }, touched)
  const begin = useChange(async (input: { comment: string; tests: Body[] }) => {
    try {
      return await http.post('/policies/{layer}/{name}/rollouts', { path, query: { app_id: app }, body: { body: d.body as never, ...(input.comment ? { comment: input.comment } : {}), tests: input.tests as never }, ifMatch: d.base })
    } catch (err) { d.refused(err, (f) => within(f, '/body')); throw err }
  }, touched)
  const remove = useChange((comment: string) => http.delete('/policies/{layer}/{name}', { path, query: { app_id: app, comment }, ifMatch: version }), touched)
  const toRollout = (id: string) => goTo(placeOf(['policies', 'rollouts', layer, name, id]))
  const close = (o: boolean) => { if (!o) setAsking(null) }
  return (
    <Card title={t('policies.changes')}>
      <Differences of={d.changes} label={t('policies.changes')} empty={t('policies.no_changes')} />
      {may && (
        <div className="row-of" role="group" aria-label={t('policies.publish')}>
          <Button className="button primary" isDisabled={!d.changes.length} onPress={() => setAsking('rollout')}>{t('policies.begin_rollout')}</Button>
          <Button className="button" isDisabled={!d.changes.length} onPress={() => setAsking('store')}>{t('policies.store_now')}</Button>
          <Button className="button" isDisabled={!d.changes.length} onPress={d.reset}>{t('policies.discard')}</Button>
          {removable && <Button className="button danger" onPress={() => setAsking('remove')}>{t('policies.remove')}</Button>}
        </div>
      )}
      <ActDialog open={asking === 'store'} onOpen={close} title={t('policies.store_now')} confirm={t('policies.store')} reason="optional"
        run={async (why) => {
          const a = await shown(store.mutateAsync(why))
          if (!a) return
          d.reset()
          if (proposed(a)) { toast(t('policies.waits')); toRollout(a.rollout_id) } else toast(t('policies.stored', { n: a.version }))
        }}>
        <p>{t('policies.store_text')}</p>
      </ActDialog>
      <RolloutDialog open={asking === 'rollout'} onOpen={close} run={async (comment, tests) => { const r = await shown(begin.mutateAsync({ comment, tests })); if (r) { d.reset(); toRollout(r.rollout_id) } }} />
      <ActDialog open={asking === 'remove'} onOpen={close} title={t('policies.remove')} confirm={t('policies.remove')} danger reason="optional"
        run={async (why) => { const a = await remove.mutateAsync(why); d.reset(); toast(t(proposed(a) ? 'policies.waits' : 'policies.removed')) }}>
        <p>{t('policies.remove_text')}</p>
      </ActDialog>
    </Card>
  )
}

/** Conflict says that somebody stored another version meanwhile, what it changed, and the two ways on. */
export function Conflict({ app, layer, name, base, onTheirs, onMine }: { app: string; layer: string; name: string; base: number; onTheirs: () => void; onMine: (version: number) => void }) {
  const t = useText()
  const path = { layer, name }
  const now = useQuery({ queryKey: ['conflict', app, layer, name, base], queryFn: () => http.get('/policies/{layer}/{name}', { path, query: { app_id: app } }) })
  const version = now.data?.version ?? base
  const diff = useQuery({ queryKey: ['conflict-diff', app, layer, name, base, version], enabled: version !== base, queryFn: () => http.get('/policies/{layer}/{name}/diff', { path, query: { app_id: app, from: base, to: version } as never }) })
  if (now.error) return <p className="callout warn" role="alert">{explain(now.error)}</p>
  if (!now.data) return <Loading />
  if (version === base) return <p className="callout warn" role="alert">{t('policies.conflict_rollout')}</p>
  return (
    <section className="callout warn conflict" role="alert" aria-label={t('policies.conflict')}>
      <p><strong>{t('policies.conflict')}</strong> {t('policies.conflict_text', { by: now.data.by ?? '?', version, base })}</p>
      {diff.data && <Differences of={diff.data.changes as never} label={t('policies.conflict')} />}
      <div className="row-of">
        <Button className="button" onPress={onTheirs}>{t('policies.take_theirs')}</Button>
        <Button className="button" onPress={() => onMine(version)}>{t('policies.keep_mine', { version })}</Button>
      </div>
    </section>
  )
}
