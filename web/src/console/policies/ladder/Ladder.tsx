import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'react-aria-components'
import { useText } from '../../../i18n/text'
import { comparable, rulesOf, tidy, type Ladder as Stored, type LadderRules } from '../../../lib/ladder'
import { homeless, type Body } from '../../../lib/layer'
import { http } from '../../../lib/http'
import { useApi, useChange } from '../../../lib/query'
import { can } from '../../../lib/roles'
import type { Moderator } from '../../../lib/wire'
import { ActDialog } from '../../../ui/ActDialog'
import { FaultList } from '../../../ui/Faults'
import { Card, Loaded } from '../../../ui/Page'
import { Time } from '../../../ui/Time'
import { toast } from '../../../ui/Toast'
import { AsJSON } from '../AsJSON'
import { Differences } from '../parts'
import { useDraft, type Draft } from '../useDraft'
import { Climb } from './Climb'
import { Layered } from './Layered'
import { Rules } from './Rules'

interface Props { me: Moderator; app: string }

/** Ladder is what violations come to: what strikes weigh, and what is given from which weight on. */
export function Ladder({ me, app }: Props) {
  const q = useApi('/penalties/ladder', { query: { app_id: app } })
  return <Loaded of={q}>{(stored) => <Editor me={me} app={app} stored={stored} />}</Loaded>
}

/** The settings that fields stand for; other faults are told above them. */
const fields = ['/automatic', '/window_days', '/weights', '/start', '/steps', '/layers']

function Editor({ me, app, stored }: Props & { stored: Stored }) {
  const t = useText()
  const d = useDraft(rulesOf(stored), stored.version, comparable)
  const may = can(me.role, 'policy.edit')
  return (
    <>
      <p className="muted">{t('ladder.text')}</p>
      <p className="row-of">
        {stored.version === 0 ? <span className="chip chip-seen">{t('ladder.from_file')}</span> : <><span className="chip chip-hold">{t('policies.source_app')}</span><span className="muted small">{t('policies.version', { n: stored.version })}</span></>}
        {stored.by && <span className="muted small"><bdi>{stored.by}</bdi>{stored.changed_at && <>, <Time at={stored.changed_at} rel /></>}</span>}
      </p>
      <FaultList of={homeless(d.faults, fields)} />
      {d.faults.length > 0 && <p className="callout warn" role="alert">{t('policies.faults_below', { n: d.faults.length })}</p>}
      <div className="editor">
        <fieldset className="editor-main" disabled={!may}>
          <legend className="sr-only">{t('ladder.title')}</legend>
          <Rules d={d} where="" />
          <Layered d={d} app={app} />
          <AsJSON d={d} text={t('ladder.as_json_text')} />
        </fieldset>
        <div className="editor-side">
          <Save d={d} app={app} may={may} version={stored.version} />
          <Climb rules={d.body as unknown as LadderRules} />
        </div>
      </div>
    </>
  )
}

/** Save shows what differs from what is stored, and puts it in force. */
function Save({ d, app, may, version }: { d: Draft; app: string; may: boolean; version: number }) {
  const t = useText()
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const store = useChange((body: Body) => http.put('/penalties/ladder', { query: { app_id: app }, body: body as never, ifMatch: d.base }), ['/penalties/ladder'])
  const run = async () => {
    const body = tidy(d.body) // what is sent is what is shown: faults name places
    d.set(body)
    try {
      const a = await store.mutateAsync(body)
      d.reset()
      toast(t('policies.stored', { n: a.version }))
    } catch (err) {
      if (!d.refused(err)) throw err
      await client.invalidateQueries({ queryKey: ['/penalties/ladder'] })
    }
  }
  return (
    <Card title={t('policies.changes')}>
      {d.conflict && (
        <section className="callout warn conflict" role="alert">
          <p><strong>{t('policies.conflict')}</strong> {t('ladder.conflict_text')}</p>
          <div className="row-of">
            <Button className="button" onPress={d.reset}>{t('policies.take_theirs')}</Button>
            <Button className="button" onPress={() => d.rebase(version)}>{t('policies.keep_mine', { version })}</Button>
          </div>
        </section>
      )}
      <Differences of={d.changes} label={t('policies.changes')} empty={t('policies.no_changes')} />
      {may && (
        <div className="row-of" role="group" aria-label={t('policies.publish')}>
          <Button className="button primary" isDisabled={!d.changes.length} onPress={() => setAsking(true)}>{t('policies.store_now')}</Button>
          <Button className="button" isDisabled={!d.changes.length} onPress={d.reset}>{t('policies.discard')}</Button>
        </div>
      )}
      <ActDialog open={asking} onOpen={setAsking} title={t('policies.store_now')} confirm={t('policies.store')} reason="none" run={run}>
        <p>{t('ladder.store_text')}</p>
      </ActDialog>
    </Card>
  )
}
