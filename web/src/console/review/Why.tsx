import { useMemo } from 'react'
import { useText } from '../../i18n/text'
import { categoryName, modeName, plain, share, suggestionName } from '../../lib/words'
import type { Position } from '../../lib/wire'
import { Combined, combinedOf, Stricter } from '../../ui/Combined'
import { Quoted } from '../../ui/Quoted'
import { Card } from '../../ui/Page'
import type { CaseFile } from './calls'

type Signal = NonNullable<CaseFile['signals']>[number]
interface Props { file: CaseFile; covered: boolean; chosen: Position | null; onChoose: (p: Position | null) => void }

/** Why is what was found, by what, and the policy that made a case of it. */
export function Why({ file, covered, chosen, onChoose }: Props) {
  const t = useText()
  const labels = file.label ?? []
  return (
    <Card title={t('review.found')}>
      {labels.length === 0 && <p className="muted">{t('review.found_nothing')}</p>}
      <ul className="labels">
        {labels.map((l, i) => (
          <li key={i} className="label">
            <span className="label-name">{categoryName(l.category)}{l.sub_label && <span className="muted"> · {plain(l.sub_label)}</span>}</span>
            <span className="label-confidence">{share(l.confidence)}</span>
            <span className="bar" aria-hidden="true"><span style={{ width: `${Math.round(l.confidence * 100)}%` }} /></span>
            <span className="label-facts muted small">
              {(l.severity ?? 0) > 0 && <span>{t('review.severity', { n: l.severity ?? 0 })}</span>}
              {l.source && <span>{plain(l.source)}</span>}
            </span>
          </li>
        ))}
      </ul>
      {file.suggestion && <p className="small">{t('review.verdict', { what: suggestionName(file.suggestion), mode: file.mode ? modeName(file.mode) : '–' })}</p>}
      <Stricter why={file.stricter} />
      <Combined of={combinedOf(file)} />
      <Evidence file={file} covered={covered} chosen={chosen} onChoose={onChoose} />
    </Card>
  )
}

const same = (p: Position | null, s: Signal) => p !== null && p.start === s.start && p.end === s.end

/** So many signals stand open; more would push the rule and the player out of sight. */
const few = 3

/** Evidence lists what each rule, word and model saw; choosing one marks it alone in the words. */
function Evidence({ file, covered, chosen, onChoose }: Props) {
  const t = useText()
  const chars = useMemo(() => [...(file.content ?? '')], [file.content])
  if (!file.signals?.length) return null
  return (
    <details className="signals" open={file.signals.length <= few}>
      <summary>{t('review.evidence', { n: file.signals.length })}</summary>
      <ul>
        {file.signals.map((s, i) => (
          <li key={i}>
            <button type="button" className="signal" aria-pressed={same(chosen, s)} disabled={s.end <= s.start} onClick={() => onChoose(same(chosen, s) ? null : { start: s.start, end: s.end })}>
              <span className="signal-head">{categoryName(s.category)}{s.sub_label && ` · ${plain(s.sub_label)}`} <span className="muted">{plain(s.source)} {share(s.confidence)}</span></span>
              {s.rule && <code className="signal-rule">{s.rule}</code>}
              {!covered && s.end > s.start && <span className="signal-said">“<Quoted text={chars.slice(s.start, s.end).join('')} lang={file.language} />”</span>}
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}
