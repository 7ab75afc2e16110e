import { useEffect, useRef, type Ref } from 'react'
import { useText } from '../../i18n/text'
import { clockTime, fullTime, plain } from '../../lib/words'
import type { Position } from '../../lib/wire'
import { Hidden, Quoted } from '../../ui/Quoted'
import type { CaseFile } from './calls'

type Said = CaseFile['context']['before'][number]

interface Props {
  file: CaseFile
  hits: readonly Position[]
  /** Whether the words of the item, and all words, are covered. */
  covered: boolean
  ref?: Ref<HTMLOListElement>
}

/** Talk is what was said in the scene around the item, and the item in its place. */
export function Talk({ file, hits, covered, ref }: Props) {
  const t = useText()
  const own = useRef<HTMLLIElement>(null)
  const { before, message, after } = file.context
  // The item is in sight from the start, wherever the talk was scrolled to; where it
  // stands below what is read first, the page stays at its beginning.
  const below = Boolean(file.appeal)
  useEffect(() => { if (!below) own.current?.scrollIntoView?.({ block: 'center' }) }, [file.case_id, below])
  if (!message && !before.length && !after.length) return null
  const item: Said = message ?? { message_id: file.check_id, player_id: file.player_id, content: file.content ?? '', state: 'delivered', sent_at: file.created_at }
  return (
    <ol className="talk" aria-label={t('review.talk')} tabIndex={0} ref={ref}>
      {before.map((m) => <Line key={m.message_id} of={m} about={file.player_id} covered={covered} />)}
      <Line key="item" of={item} about={file.player_id} covered={covered} hits={hits} lang={file.language} ref={own} />
      {after.map((m) => <Line key={m.message_id} of={m} about={file.player_id} covered={covered} />)}
    </ol>
  )
}

interface LineShape { of: Said; about: string; covered: boolean; hits?: readonly Position[]; lang?: string | undefined; ref?: Ref<HTMLLIElement> }

function Line({ of: m, about, covered, hits, lang, ref }: LineShape) {
  const t = useText()
  const mine = m.player_id === about
  return (
    <li className={`talk-line${hits ? ' talk-item' : ''}${mine ? ' talk-about' : ''}`} ref={ref} aria-current={hits ? 'true' : undefined} tabIndex={-1}>
      <time className="muted small" dateTime={m.sent_at} title={fullTime(m.sent_at)}>{clockTime(m.sent_at)}</time>
      <span className="talk-who"><bdi>{m.player_id}</bdi>{mine && <span className="sr-only"> {t('review.this_player')}</span>}</span>
      <span className="talk-said">
        {covered ? <Hidden text={m.content} /> : <Quoted text={m.content} lang={m.language ?? lang} hits={hits} />}
        {m.state !== 'delivered' && <span className="chip chip-seen">{plain(m.state)}</span>}
      </span>
    </li>
  )
}
