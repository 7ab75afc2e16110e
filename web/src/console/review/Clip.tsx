import { useText } from '../../i18n/text'
import { Quoted } from '../../ui/Quoted'
import type { CaseFile } from './calls'
import { contentOf, type Seen } from './Picture'

/** Clip is a recording: its words first, its sound when it is asked for. */
export function Clip({ file, seen }: { file: CaseFile; seen: Seen }) {
  const t = useText()
  const open = seen === 'blurred' || seen === 'shown'
  return (
    <div className="clip">
      <h3>{t('review.transcript')}</h3>
      <p className="case-words">{open && file.content ? <Quoted text={file.content} lang={file.language} hits={file.hits} /> : <span className="muted">{t(file.content ? 'review.covered' : 'review.no_transcript')}</span>}</p>
      {seen === 'shown' && <audio controls preload="none" src={contentOf(file)} aria-label={t('review.clip')} />}
    </div>
  )
}
