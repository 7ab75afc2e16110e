import { useText } from '../i18n/text'
import { categoryName, fineShare, plain, share } from '../lib/words'
import { Time } from './Time'

/** A confidence and what it is made of: the item alone, and what its player did before. Gateways that only know items leave it out. */
export interface CombinedOf {
  category: string
  confidence: number
  own: number
  parts: readonly { from: string; category: string; confidence: number; counts: number; kind?: string; at?: string }[]
}

/** The combined confidences of a verdict, where it has some. */
export const combinedOf = (verdict: object): readonly CombinedOf[] => ('combined' in verdict && Array.isArray(verdict.combined) ? (verdict.combined as CombinedOf[]) : [])

/** Combined says what more than the item itself has a part in a confidence, and how much each counts. */
export function Combined({ of }: { of: readonly CombinedOf[] }) {
  const t = useText()
  if (!of.length) return null
  return (
    <details className="signals combined">
      <summary>{t('review.combined')}</summary>
      <ul>
        {of.map((c) => (
          <li key={c.category}>
            <p><strong>{categoryName(c.category)} {share(c.confidence)}</strong> <span className="muted small">{t('review.combined_own', { share: share(c.own) })}</span></p>
            <ul className="small">{c.parts.map((p, i) => (
              <li key={i}>{plain(p.from)}{p.kind && p.from === 'earlier' && ` (${plain(p.kind)})`}: {categoryName(p.category)} {share(p.confidence)}{p.at && <span className="muted">, <Time at={p.at} rel /></span>} <span className="muted">{t('review.combined_counts', { share: fineShare(p.counts) })}</span></li>
            ))}</ul>
          </li>
        ))}
      </ul>
    </details>
  )
}

const reasons = { economy_risk: 'review.stricter_risk', recent_violations: 'review.stricter_recent', earlier_content: 'review.stricter_earlier' } as const

/** Stricter says why a player was judged more strictly than others are. */
export function Stricter({ why }: { why: keyof typeof reasons | undefined }) {
  const t = useText()
  return why ? <p className="callout">{t(reasons[why])}</p> : null
}
