import { useText } from '../../i18n/text'
import { ApiError } from '../../lib/api'
import { homeless, put, type Body } from '../../lib/layer'
import { useApi } from '../../lib/query'
import { can } from '../../lib/roles'
import type { Moderator } from '../../lib/wire'
import { FaultList } from '../../ui/Faults'
import { Card, Failed, Loading, Page } from '../../ui/Page'
import { AsJSON } from '../policies/AsJSON'
import { History } from '../policies/History'
import { Source } from '../policies/parts'
import { Conflict, Publish } from '../policies/Publish'
import { useDraft } from '../policies/useDraft'
import { Words } from '../policies/Words'
import { placeOf } from '../route'
import { ReadBox } from './ReadBox'

interface Props { me: Moderator; app: string; name: string }

/** ListPage edits one word list; its tests run when it is stored. */
export function ListPage({ me, app, name }: Props) {
  const t = useText()
  const q = useApi('/lists/{name}', { path: { name }, query: { app_id: app } })
  const isNew = q.error instanceof ApiError && q.error.status === 404
  const title = `${t('policies.word_list')}: ${name}`
  const back = <a className="button small" href={placeOf(['lists'])}>{t('lists.all')}</a>
  if (!isNew && !q.data) return <Page title={title} actions={back}>{q.error ? <Failed error={q.error} onRetry={() => void q.refetch()} /> : <Loading />}</Page>
  const version = isNew ? 0 : q.data?.version ?? 0
  const source = isNew ? undefined : q.data?.source
  return (
    <Page title={title} actions={<>{source ? <Source of={source} /> : <span className="chip chip-review">{t('policies.is_new')}</span>}{version > 0 && <span className="muted small">{t('policies.version', { n: version })}</span>}{back}</>}>
      <Editor me={me} app={app} name={name} version={version} body={(isNew ? {} : q.data?.body ?? {}) as Body} removable={source === 'app'} />
    </Page>
  )
}

function Editor({ me, app, name, version, body, removable }: Props & { version: number; body: Body; removable: boolean }) {
  const t = useText()
  const d = useDraft(body, version)
  const may = can(me.role, 'policy.edit')
  return (
    <>
      <FaultList of={homeless(d.faults, [])} />
      {d.conflict && <Conflict app={app} layer="list" name={name} base={d.base} onTheirs={d.reset} onMine={d.rebase} />}
      <div className="editor">
        <fieldset className="editor-main" disabled={!may}>
          <legend className="sr-only">{t('policies.settings_of')}</legend>
          <Card title={t('policies.general')}>
            <label className="input"><span>{t('policies.description')}</span><input value={String(d.body['description'] ?? '')} maxLength={2000} onChange={(e) => d.set(put(d.body, '/description', e.target.value || undefined))} /></label>
          </Card>
          <Words d={d} kind="prohibited" may={may} />
          <Words d={d} kind="exceptions" may={may} />
          <AsJSON d={d} />
        </fieldset>
        <div className="editor-side">
          <Publish d={d} app={app} layer="list" name={name} version={version} may={may} removable={removable} />
          <ReadBox app={app} />
          {version > 0 && <History app={app} layer="list" name={name} version={version} may={may} onReturned={d.reset} />}
        </div>
      </div>
    </>
  )
}
