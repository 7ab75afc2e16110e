import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { ApiError, explain } from '../../lib/api'
import { http } from '../../lib/http'
import { homeless, kindOf, questionOf, shownName, within, type Body } from '../../lib/layer'
import { useApi, useChange } from '../../lib/query'
import { can } from '../../lib/roles'
import type { Moderator } from '../../lib/wire'
import { ActDialog } from '../../ui/ActDialog'
import { FaultList } from '../../ui/Faults'
import { Card, Failed, Loading, Page } from '../../ui/Page'
import { toast } from '../../ui/Toast'
import { goTo, placeOf } from '../route'
import { Categories } from './Categories'
import { General } from './General'
import { History } from './History'
import { AsJSON } from './AsJSON'
import { Differences, Source } from './parts'
import { RolloutDialog } from './RolloutDialog'
import { Schedule } from './Schedule'
import { Try } from './Try'
import { useDraft } from './useDraft'
import { Words } from './Words'

interface Props { me: Moderator; app: string; layer: string; name: string }

/** The settings that fields of the form stand for; other faults are told above it. */
const fields = ['/categories', '/prohibited', '/exceptions', '/schedule', '/strictness', '/stricter', '/mode', '/reason', '/description', '/fail', '/record', '/sample_rate', '/time_zone', '/game_mode', '/countries', '/lists', '/approve_clear', '/escalate_mandatory']

/** LayerPage edits one layer: what it says, what differs from what is stored, what would come of it. */
export function LayerPage({ me, app, layer, name }: Props) {
  const t = useText()
  const stored = useApi('/policies/{layer}/{name}', { path: { layer, name }, query: { app_id: app } })
  const isNew = stored.error instanceof ApiError && stored.error.status === 404
  const title = `${t(`policies.kind_${kindOf(layer, name)}`)}: ${shownName(name)}`
  const back = <a className="button small" href={placeOf(['policies'])}>{t('policies.all_layers')}</a>
  if (!isNew && stored.data === undefined) return <Page title={title} actions={back}>{stored.error ? <Failed error={stored.error} onRetry={() => void stored.refetch()} /> : <Loading />}</Page>
  const version = isNew ? 0 : stored.data?.version ?? 0
  const of = { me, app, layer, name, version, body: (isNew ? {} : stored.data?.body ?? {}) as Body, source: isNew ? undefined : stored.data?.source }
  return <Page title={title} actions={<>{of.source ? <Source of={of.source} /> : <span className="chip chip-review">{t('policies.is_new')}</span>}{version > 0 && <span className="muted small">{t('policies.version', { n: version })}</span>}{back}</>}><Editor {...of} /></Page>
}

function Editor({ me, app, layer, name, version, body, source }: Props & { version: number; body: Body; source: 'built-in' | 'file' | 'app' | undefined }) {
  const t = useText()
  const d = useDraft(body, version)
  const may = can(me.role, 'policy.edit') && layer !== 'base'
  const question = questionOf(layer, name)
  const resolved = useQuery({ queryKey: ['/policies/resolve', app, question], queryFn: () => http.post('/policies/resolve', { query: { app_id: app }, body: question }) })
  const [storing, setStoring] = useState(false)
  const [rolling, setRolling] = useState(false)
  const [removing, setRemoving] = useState(false)
  const path = { layer, name }
  const touched = ['/policies', '/lists']
  const store = useChange(async (comment: string) => {
    try {
      return await http.put('/policies/{layer}/{name}', { path, query: { app_id: app, comment }, body: d.body, ifMatch: d.base })
    } catch (err) { d.refused(err); throw err }
  }, touched)
  const begin = useChange(async (input: { comment: string; tests: Body[] }) => {
    try {
      return await http.post('/policies/{layer}/{name}/rollouts', { path, query: { app_id: app }, body: { body: d.body, ...(input.comment ? { comment: input.comment } : {}), tests: input.tests as never }, ifMatch: d.base })
    } catch (err) { d.refused(err, (f) => within(f, '/body')); throw err }
  }, touched)
  const remove = useChange((comment: string) => http.delete('/policies/{layer}/{name}', { path, query: { app_id: app, comment }, ifMatch: version }), touched)
  const proposed = (r: object) => 'rollout_id' in r && typeof r.rollout_id === 'string'
  const toRollout = (id: string) => goTo(placeOf(['policies', 'rollouts', layer, name, id]))

  return (
    <>
      <FaultList of={homeless(d.faults, fields)} />
      {d.faults.length > 0 && homeless(d.faults, fields).length !== d.faults.length && <p className="callout warn" role="alert">{t('policies.faults_below', { n: d.faults.length })}</p>}
      {d.conflict && <Conflict app={app} layer={layer} name={name} base={d.base} onTheirs={d.reset} onMine={d.rebase} />}
      {layer === 'base' && <p className="callout">{t('policies.base_text')}</p>}
      <div className="editor">
        <fieldset className="editor-main" disabled={!may}>
          <legend className="sr-only">{t('policies.settings_of')}</legend>
          <General d={d} layer={layer} name={name} resolved={resolved.data} />
          <Categories d={d} layer={layer} resolved={resolved.data} error={resolved.error} mandatory={layer === 'global'} />
          <Words d={d} kind="prohibited" may={may} />
          <Words d={d} kind="exceptions" may={may} />
          <Schedule d={d} />
          <AsJSON d={d} />
        </fieldset>
        <div className="editor-side">
          <Card title={t('policies.changes')}>
            <Differences of={d.changes} label={t('policies.changes')} empty={t('policies.no_changes')} />
            {may && (
              <div className="row-of" role="group" aria-label={t('policies.changes')}>
                <Button className="button primary" isDisabled={!d.changes.length} onPress={() => setRolling(true)}>{t('policies.begin_rollout')}</Button>
                <Button className="button" isDisabled={!d.changes.length} onPress={() => setStoring(true)}>{t('policies.store_now')}</Button>
                <Button className="button" isDisabled={!d.changes.length} onPress={d.reset}>{t('policies.discard')}</Button>
                {source === 'app' && <Button className="button danger" onPress={() => setRemoving(true)}>{t('policies.remove')}</Button>}
              </div>
            )}
          </Card>
          <Try app={app} layer={layer} name={name} body={d.body} question={question} />
          {version > 0 && <History app={app} layer={layer} name={name} version={version} may={may} onReturned={d.reset} />}
        </div>
      </div>
      <ActDialog open={storing} onOpen={setStoring} title={t('policies.store_now')} confirm={t('policies.store')} reason="optional"
        run={async (why) => {
          const a = await store.mutateAsync(why)
          d.reset()
          if (proposed(a)) { toast(t('policies.waits')); toRollout((a as { rollout_id: string }).rollout_id) } else toast(t('policies.stored', { n: (a as { version: number }).version }))
        }}>
        <p>{t('policies.store_text')}</p>
      </ActDialog>
      <RolloutDialog open={rolling} onOpen={setRolling} run={async (comment, tests) => { const r = await begin.mutateAsync({ comment, tests }); d.reset(); toRollout(r.rollout_id) }} />
      <ActDialog open={removing} onOpen={setRemoving} title={t('policies.remove')} confirm={t('policies.remove')} danger reason="optional"
        run={async (why) => { const a = await remove.mutateAsync(why); d.reset(); toast(proposed(a) ? t('policies.waits') : t('policies.removed')) }}>
        <p>{t('policies.remove_text')}</p>
      </ActDialog>
    </>
  )
}

/** Conflict says that somebody stored another version meanwhile, what it changed, and the two ways on. */
function Conflict({ app, layer, name, base, onTheirs, onMine }: { app: string; layer: string; name: string; base: number; onTheirs: () => void; onMine: (version: number) => void }) {
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
