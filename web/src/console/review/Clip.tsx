import { useText } from '../../i18n/text'
import { AudioClip } from '../../ui/AudioClip'
import { Quoted } from '../../ui/Quoted'
import type { CaseFile } from './calls'
import { contentPath, type Seen } from './Picture'

/** Clip is a recording: its words first, its sound when it is asked for. */
export function Clip({ file, seen }: { file: CaseFile; seen: Seen }) {
  const t = useText()
  if (seen === 'shown') return <AudioClip key={file.case_id} path={contentPath(file)} media={file.media} labels={file.label} content={file.content} lang={file.language} />
  return (
    <div className="clip">
      <h3>{t('review.transcript')}</h3>
      <p className="case-words">{seen === 'blurred' && file.content ? <Quoted text={file.content} lang={file.language} hits={file.hits} /> : <span className="muted">{t(file.content ? 'review.covered' : 'review.no_transcript')}</span>}</p>
    </div>
  )
}
