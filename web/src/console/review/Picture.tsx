import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { address } from '../../lib/http'
import { useStore } from '../../lib/store'
import { bytes } from '../../lib/words'
import { EyeIcon, EyeOffIcon } from '../../ui/icons'
import type { CaseFile } from './calls'
import { care } from './care'

/** How far a picture or clip has been uncovered: not fetched, fetched and blurred, as it is. */
export type Seen = 'covered' | 'asked' | 'blurred' | 'shown'

interface Props { file: CaseFile; seen: Seen; grey: boolean;
  /** Whether the case has to be taken before its content is shown. */
  closed?: boolean | undefined; onUncover: () => void; onGrey: () => void }

/** The address of a case's content. Who asks for what is locked says so. */
export const contentPath = (f: CaseFile): string =>
  address('/cases/{id}/content', { id: f.case_id }, f.category === 'child_safety' || f.sub_label === 'child_safety' ? { unlock: 'child_safety' } : {})

/** Picture shows the picture that a case is about, covered until it is asked for. */
export function Picture({ file, seen, grey, closed, onUncover, onGrey }: Props) {
  const t = useText()
  const { blur } = useStore(care)
  const [fault, setFault] = useState('')
  const m = file.media && 'width' in file.media ? file.media : undefined
  const facts = m ? [m.format.toUpperCase(), `${m.width} × ${m.height}`, m.frames > 1 ? t('review.frames', { n: m.frames }) : ''].filter(Boolean).join(' · ') : ''
  const open = !closed && (seen === 'blurred' || seen === 'shown')
  const soft = seen === 'blurred' && blur
  return (
    <figure className="picture">
      <div className="picture-box">
        {open && fault !== file.case_id
          ? <img key={file.case_id} src={`../api/v1/${contentPath(file)}`} alt={t('review.picture_alt', { what: facts })} className={`${soft ? 'soft' : ''}${grey ? ' grey' : ''}`} onError={() => setFault(file.case_id)} />
          : <p className="picture-cover muted">{closed ? t('review.take_first') : fault === file.case_id ? t('review.picture_fault') : seen === 'asked' ? t('review.sure_to_see') : t('review.covered')}</p>}
      </div>
      <figcaption>
        <span className="muted small">{facts}{m?.trailing_bytes ? ` · ${t('review.trailing', { size: bytes(m.trailing_bytes) })}` : ''}</span>
        <span className="grow" />
        <Button className="link-button" isDisabled={closed ?? false} onPress={onUncover}>{seen === 'shown' ? <EyeOffIcon size={14} /> : <EyeIcon size={14} />}{t(seen === 'shown' ? 'review.cover' : seen === 'asked' ? 'review.show_anyway' : 'review.uncover')}<kbd>B</kbd></Button>
        <Button className="link-button" aria-pressed={grey} onPress={onGrey}>{t('review.grey')}<kbd>G</kbd></Button>
      </figcaption>
      {m && (m.ocr.length > 0 || m.qr.length > 0) && <InPicture media={m} />}
    </figure>
  )
}

function InPicture({ media }: { media: Extract<NonNullable<CaseFile['media']>, { width: number }> }) {
  const t = useText()
  return (
    <dl className="in-picture">
      {media.ocr.map((o, i) => <div key={`o${i}`}><dt>{t('review.read')}</dt><dd><bdi className="quoted">{o.text}</bdi></dd></div>)}
      {media.qr.map((q, i) => <div key={`q${i}`}><dt>{q.kind}</dt><dd><bdi className="quoted">{q.content}</bdi></dd></div>)}
    </dl>
  )
}
