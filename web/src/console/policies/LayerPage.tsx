import { useQuery } from '@tanstack/react-query'
import { useText } from '../../i18n/text'
import { ApiError } from '../../lib/api'
import { http } from '../../lib/http'
import { homeless, kindOf, questionOf, shownName, type Body } from '../../lib/layer'
import { useApi } from '../../lib/query'
import { can } from '../../lib/roles'
import type { Moderator } from '../../lib/wire'
import { FaultList } from '../../ui/Faults'
import { Failed, Loading, Page } from '../../ui/Page'
import { placeOf } from '../route'
import { Acoustic } from './Acoustic'
import { Categories } from './Categories'
import { General } from './General'
import { History } from './History'
import { AsJSON } from './AsJSON'
import { Others } from './Others'
import { Source } from './parts'
import { Conflict, Publish } from './Publish'
import { Schedule } from './Schedule'
import { fields, told } from './settings'
import { Try } from './Try'
import { useDraft } from './useDraft'
import { Words } from './Words'

interface Props { me: Moderator; app: string; layer: string; name: string }

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
  return (
    <>
      <FaultList of={homeless(d.faults, told)} />
      {d.faults.length > 0 && homeless(d.faults, told).length !== d.faults.length && <p className="callout warn" role="alert">{t('policies.faults_below', { n: d.faults.length })}</p>}
      {d.conflict && <Conflict app={app} layer={layer} name={name} base={d.base} onTheirs={d.reset} onMine={d.rebase} />}
      {layer === 'base' && <p className="callout">{t('policies.base_text')}</p>}
      <div className="editor">
        <fieldset className="editor-main" disabled={!may}>
          <legend className="sr-only">{t('policies.settings_of')}</legend>
          <General d={d} layer={layer} name={name} resolved={resolved.data} />
          <Categories d={d} layer={layer} resolved={resolved.data} error={resolved.error} onRetry={() => void resolved.refetch()} mandatory={layer === 'global'} />
          <Words d={d} kind="prohibited" may={may} />
          <Words d={d} kind="exceptions" may={may} />
          <Schedule d={d} />
          <Acoustic d={d} resolved={resolved.data} />
          <Others d={d} resolved={resolved.data} fields={fields} />
          <AsJSON d={d} />
        </fieldset>
        <div className="editor-side">
          <Publish d={d} app={app} layer={layer} name={name} version={version} may={may} removable={source === 'app'} />
          <Try app={app} layer={layer} name={name} body={d.body} question={question} />
          {version > 0 && <History app={app} layer={layer} name={name} version={version} may={may} onReturned={d.reset} />}
        </div>
      </div>
    </>
  )
}
