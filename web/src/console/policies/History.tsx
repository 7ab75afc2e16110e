import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { http } from '../../lib/http'
import { useApi, useChange } from '../../lib/query'
import { ActDialog } from '../../ui/ActDialog'
import { Card, Failed, Loaded, Loading } from '../../ui/Page'
import { Time } from '../../ui/Time'
import { toast } from '../../ui/Toast'
import { placeOf } from '../route'
import { Differences } from './parts'

interface Props { app: string; layer: string; name: string; version: number; may: boolean; onReturned: () => void }

/** History lists the versions; each can be compared with the one before it and brought back. */
export function History({ app, layer, name, version, may, onReturned }: Props) {
  const t = useText()
  const q = useApi('/policies/{layer}/{name}/history', { path: { layer, name }, query: { app_id: app } })
  const [back, setBack] = useState<number | null>(null)
  const [open, setOpen] = useState<number | null>(null)
  const bring = useChange((v: { version: number; comment: string }) => http.post('/policies/{layer}/{name}/return', { path: { layer, name }, query: { app_id: app }, ifMatch: version, body: { version: v.version, ...(v.comment ? { comment: v.comment } : {}) } }), ['/policies', '/lists'])
  return (
    <Card title={t('policies.history')}>
      <Loaded of={q}>
        {({ versions }) => (
          <ol className="history">
            {versions.map((v) => (
              <li key={v.version}>
                <p><strong>{t('policies.version', { n: v.version })}</strong> {v.version === version && <span className="chip chip-pass">{t('policies.holds')}</span>} <span className="muted small"><bdi>{v.by}</bdi>, <Time at={v.changed_at} /></span></p>
                <p className="muted small">{t(`policies.how_${v.how}`, { of: v.of_version ?? 0 })}{v.removed && ` · ${t('policies.was_removed')}`}{v.approved_by && ` · ${t('policies.approved_by', { who: v.approved_by })}`}{v.rollout_id && <> · <a href={placeOf(['policies', 'rollouts', layer, name, v.rollout_id])}>{t('policies.its_rollout')}</a></>}</p>
                {v.comment && <p className="small"><bdi>{v.comment}</bdi></p>}
                <div className="row-of">
                  <Button className="link-button small" aria-expanded={open === v.version} onPress={() => setOpen(open === v.version ? null : v.version)}>{t('policies.what_changed')}<span className="sr-only">: {v.version}</span></Button>
                  {may && v.version !== version && <Button className="link-button small" onPress={() => setBack(v.version)}>{t('policies.return_to', { n: v.version })}</Button>}
                </div>
                {open === v.version && <VersionDiff app={app} layer={layer} name={name} from={v.version - 1} to={v.version} />}
              </li>
            ))}
          </ol>
        )}
      </Loaded>
      <ActDialog open={back !== null} onOpen={(o) => { if (!o) setBack(null) }} title={t('policies.return_to', { n: back ?? 0 })} confirm={t('policies.return')} reason="optional"
        run={async (comment) => { const a = await bring.mutateAsync({ version: back ?? 0, comment }); onReturned(); toast(t('policies.stored', { n: a.version })) }}>
        <p>{t('policies.return_text')}</p>
        {back !== null && <VersionDiff app={app} layer={layer} name={name} from={version} to={back} />}
      </ActDialog>
    </Card>
  )
}

function VersionDiff({ app, layer, name, from, to }: { app: string; layer: string; name: string; from: number; to: number }) {
  const t = useText()
  const q = useQuery({ queryKey: ['/policies/diff', app, layer, name, from, to], queryFn: () => http.get('/policies/{layer}/{name}/diff', { path: { layer, name }, query: { app_id: app, from, to } as never }) })
  if (q.error) return <Failed error={q.error} onRetry={() => void q.refetch()} />
  if (!q.data) return <Loading />
  return <Differences of={q.data.changes as never} label={t('policies.from_to', { from, to })} />
}
