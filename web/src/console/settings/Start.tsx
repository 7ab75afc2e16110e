import { useText, type TextKey } from '../../i18n/text'
import { nextStep, rolloutSteps, stepOf } from '../../lib/layer'
import { sinceDays } from '../../lib/period'
import { useApi } from '../../lib/query'
import { can } from '../../lib/roles'
import type { Moderator } from '../../lib/wire'
import { fineShare, number } from '../../lib/words'
import { CheckIcon } from '../../ui/icons'
import { Card, Failed, Loading } from '../../ui/Page'
import { placeOf } from '../route'

interface Props { me: Moderator; app: string }
interface Step { key: string; done: boolean | undefined; said: string; href: string }

/** Start is the way from nothing to a policy in force. Each step reads from the gateway whether it is done. */
export function Start({ me, app }: Props) {
  const t = useText()
  const on = { enabled: app !== '' }
  const apps = useApi('/apps', {}, { enabled: can(me.role, 'keys.manage'), every: 15_000 })
  const names = useApi('/apps/names')
  const from = sinceDays(89)
  const volume = useApi('/stats/volume', { query: { app_id: app, from } as never }, { ...on, every: 15_000 })
  const policy = can(me.role, 'policy.see')
  const layers = useApi('/policies', { query: { app_id: app } }, { enabled: on.enabled && policy, every: 15_000 })
  const rollouts = useApi('/policies/rollouts', { query: { app_id: app, limit: 200 } }, { enabled: on.enabled && policy, every: 15_000 })
  const list = rollouts.data?.rollouts
  const tested = list?.find((r) => r.tests.length > 0 && rolloutSteps.indexOf(stepOf(r) ?? 'draft') >= 1)
  // How much of the newest test set that was run comes out as promised under what is in force now.
  const accuracy = useApi('/policies/{layer}/{name}/rollouts/{id}/tests', { path: { layer: tested?.layer ?? '', name: tested?.name ?? '', id: tested?.rollout_id ?? '' }, query: { app_id: app } }, { enabled: tested !== undefined, every: 60_000 }).data
  const wrong = [names, volume, layers, rollouts].filter((q) => q.error)
  if (wrong[0]) return <Card title={t('settings.tab_start')}><Failed error={wrong[0].error} onRetry={() => { for (const q of wrong) void q.refetch() }} /></Card>
  if (names.isPending) return <Card title={t('settings.tab_start')}><Loading /></Card>
  const keys = apps.data?.apps.find((a) => a.app_id === app)?.secrets.length
  const calls = volume.data ? (volume.data.rows ?? []).reduce((n, r) => n + (typeof r['verdicts'] === 'number' ? r['verdicts'] : 0), 0) : undefined
  const own = layers.data?.policies.filter((p) => p.source === 'app' && p.layer !== 'settings').length
  /** How far the furthest rollout came; one that failed its tests is no further than its draft. */
  const furthest = list && Math.max(-1, ...list.map((r) => rolloutSteps.indexOf(stepOf(r) ?? 'draft')))
  const reached = (s: (typeof rolloutSteps)[number]) => furthest === undefined ? undefined : furthest >= rolloutSteps.indexOf(s)
  const going = list?.find((r) => nextStep(r) !== undefined)
  const rollout = going ? placeOf(['policies', 'rollouts', going.layer, going.name, going.rollout_id]) : placeOf(['policies', 'rollouts'])
  const steps: Step[] = [
    { key: 'key', done: apps.data ? Boolean(keys) : names.data ? names.data.apps.length > 0 : undefined, said: keys === undefined ? app : t('settings.start_keys', { n: keys }), href: placeOf(['settings', 'apps']) },
    { key: 'call', done: calls === undefined ? (app ? undefined : false) : calls > 0, said: calls === undefined ? '' : t('settings.start_calls', { n: number(calls) }), href: placeOf(['feed']) },
    { key: 'policy', done: own === undefined ? (app && policy ? undefined : false) : own > 0, said: own === undefined ? '' : t('settings.start_layers', { n: own }), href: placeOf(['policies']) },
    { key: 'tests', done: list === undefined ? (app && policy ? undefined : false) : tested !== undefined, said: accuracy && accuracy.tests > 0 ? t('settings.start_accuracy', { share: fineShare(accuracy.right / accuracy.tests), right: accuracy.right, n: accuracy.tests }) : tested ? t('settings.start_tested', { n: tested.tests.length }) : '', href: rollout },
    { key: 'shadow', done: reached('shadow'), said: '', href: rollout },
    { key: 'partial', done: reached('1'), said: going?.state === 'partial' ? t('policies.share', { n: going.share }) : '', href: rollout },
    { key: 'full', done: reached('live'), said: '', href: rollout },
  ]
  const done = steps.filter((s) => s.done).length
  const next = steps.find((s) => s.done === false)
  return (
    <Card title={t('settings.tab_start')}>
      <p>{t('settings.start_text')}</p>
      <p role="status"><strong>{t('settings.start_done', { n: done, of: steps.length })}</strong></p>
      <progress className="start-progress" max={steps.length} value={done} aria-label={t('settings.start_done', { n: done, of: steps.length })} />
      <ol className="start">
        {steps.map((s, i) => (
          <li key={s.key} className={s.done ? 'start-done' : s === next ? 'start-next' : ''} aria-current={s === next ? 'step' : undefined}>
            <span className="track-dot" aria-hidden="true">{s.done ? <CheckIcon size={13} /> : i + 1}</span>
            <div><h3><a href={s.href}>{t(`settings.start_${s.key}` as TextKey)}</a> <span className={`chip chip-${s.done ? 'pass' : 'seen'}`}>{t(s.done === undefined ? 'settings.start_unknown' : s.done ? 'settings.start_is_done' : 'settings.start_open')}</span> <span className="muted small">{s.said}</span></h3>
              <p className="muted small">{t(`settings.start_${s.key}_text` as TextKey)}</p></div>
          </li>
        ))}
      </ol>
    </Card>
  )
}
