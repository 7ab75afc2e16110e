import { hasText, useText } from '../../i18n/text'
import { plain } from '../../lib/words'
import { Time } from '../../ui/Time'
import type { CaseFile } from './calls'

/** History is what became of the case so far, and by whom. */
export function History({ file }: { file: CaseFile }) {
  const t = useText()
  if (!file.history.length) return null
  const word = (action: string) => { const key = `review.did_${action}`; return hasText(key) ? t(key) : plain(action) }
  return (
    <details className="case-history">
      <summary>{t('review.history', { n: file.history.length })}</summary>
      <ol>
        {file.history.map((e) => {
          const reason = (e.detail as { reason?: string } | undefined)?.reason
          return <li key={e.version}><Time at={e.at} full /> <bdi>{e.actor}</bdi> · {word(e.action)} <span className="muted">({plain(e.state)})</span>{reason && <> · <bdi>{reason}</bdi></>}</li>
        })}
      </ol>
    </details>
  )
}
