import { useQuery } from '@tanstack/react-query'
import { hasText, useText } from '../../i18n/text'
import { explain } from '../../lib/api'
import { http } from '../../lib/http'
import { can } from '../../lib/roles'
import { categoryName, plain } from '../../lib/words'
import type { Moderator } from '../../lib/wire'
import { Card } from '../../ui/Page'
import type { CaseFile } from './calls'

type Kind = 'text' | 'name' | 'image' | 'audio' | 'video'

/** PolicyText is what the rule of a category covers, and what the app's policy makes of it where this was said. */
export function PolicyText({ file, category, me }: { file: CaseFile; category: string; me: Moderator }) {
  const t = useText()
  const about = `review.about_${category}`
  const may = can(me.role, 'policy.see')
  const question = {
    ...(file.scene_id ? { scene_id: file.scene_id } : {}), ...(file.language ? { language: file.language } : {}),
    ...(file.content_kind ? { kind: file.content_kind as Kind } : {}),
  }
  const q = useQuery({
    queryKey: ['/policies/resolve', file.app_id, question],
    queryFn: ({ signal }) => http.post('/policies/resolve', { query: { app_id: file.app_id }, body: question, signal }),
    enabled: may, staleTime: 60_000,
  })
  const rules = (q.data?.rules ?? []).filter((r) => r.category === category)
  return (
    <Card title={t('review.policy')}>
      {category
        ? <><p><strong>{categoryName(category)}.</strong> {hasText(about) ? t(about) : t('review.about_none')}</p></>
        : <p className="muted">{t('review.no_category')}</p>}
      {q.error ? <p className="muted small" role="alert">{explain(q.error)}</p> : null}
      {rules.length > 0 && (
        <ul className="policy-rules small">
          {rules.map((r) => (
            <li key={r.sub_label ?? ''}>
              {r.sub_label ? <span>{plain(r.sub_label)}: </span> : null}
              {r.enabled ? t('review.rule', { strictness: r.strictness, action: plain(r.action) }) : t('review.rule_off')}
              {r.mandatory && <> · {t('review.mandatory')}</>}
              {r.reason && <p className="muted">{t('review.told', { what: r.reason })}</p>}
            </li>
          ))}
        </ul>
      )}
      {q.data && <p className="muted small">{t('review.layers', { layers: q.data.layers.join(' › ') || '–', version: q.data.policy_version })}</p>}
    </Card>
  )
}
