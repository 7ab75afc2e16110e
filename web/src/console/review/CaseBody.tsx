import { useLayoutEffect, useMemo, useRef, useState, type Ref } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { ofEconomy } from '../../lib/economy'
import { useStore } from '../../lib/store'
import type { Moderator, Position } from '../../lib/wire'
import { EyeIcon, EyeOffIcon } from '../../ui/icons'
import { Card } from '../../ui/Page'
import { Hidden, Quoted } from '../../ui/Quoted'
import { Appeal, Economy, Reports } from './About'
import type { CaseFile } from './calls'
import { care, dangerous } from './care'
import { Clip } from './Clip'
import { History } from './History'
import { Picture, type Seen } from './Picture'
import { PlayerCard } from './PlayerCard'
import { PolicyText } from './PolicyText'
import { Talk } from './Talk'
import { Why } from './Why'

/** How a case is seen at first: covered where a step more is needed, else as the person has it. */
export function firstSight(file: CaseFile, words: boolean): Seen {
  if (dangerous(file) || (words && file.content_kind !== 'image')) return 'covered'
  return 'blurred'
}

/** What the key that uncovers comes to. */
export function nextSight(seen: Seen, file: CaseFile): Seen {
  const media = file.content_kind === 'image' || file.content_kind === 'audio'
  if (seen === 'covered') return dangerous(file) ? 'asked' : media ? 'blurred' : 'shown'
  if (seen === 'asked') return media ? 'blurred' : 'shown'
  return seen === 'blurred' && (media || dangerous(file)) ? 'shown' : 'covered'
}

interface Props {
  file: CaseFile
  me: Moderator
  seen: Seen
  grey: boolean
  /** The category that a rejection would have, whose rule is shown. */
  category?: string
  talk?: Ref<HTMLOListElement>
  /** Whether the case has to be taken before a picture or recording is shown. */
  closed?: boolean
  onUncover: () => void
  onGrey: () => void
}

/** CaseBody is a case with all that is around it. */
export function CaseBody({ file, me, seen, grey, category, talk, closed, onUncover, onGrey }: Props) {
  const t = useText()
  const { words } = useStore(care)
  const box = useRef<HTMLDivElement>(null)
  // Another case begins at its top; Talk then brings its item into sight.
  useLayoutEffect(() => { for (const part of box.current?.children ?? []) part.scrollTop = 0 }, [file.case_id])
  const [of, setOf] = useState<{ id: string; at: Position } | null>(null)
  const chosen = of?.id === file.case_id ? of.at : null
  const hits = useMemo(() => (chosen ? [chosen] : (file.hits ?? [])), [chosen, file.hits])
  const image = file.content_kind === 'image'
  const audio = file.content_kind === 'audio'
  const covered = seen === 'covered' || seen === 'asked' || (words && seen === 'blurred')
  // Its words are read before it is heard: what the key does next is to open it.
  const unheard = audio && seen === 'blurred' && !closed
  const shut = covered || unheard
  const talked = file.context.before.length + file.context.after.length > 0 || Boolean(file.context.message)
  return (
    <div className="case-body" ref={box}>
      <div className="case-main">
        {file.appeal && <Appeal file={file} />}
        {ofEconomy(file) && <Economy file={file} />}
        {!ofEconomy(file) && (
          <Card title={t(image ? 'review.picture' : audio ? 'review.clip' : talked ? 'review.talk' : 'review.content')} className="case-item" actions={!image && (
            <Button className="link-button" onPress={onUncover} aria-pressed={!shut}>{shut ? <EyeIcon size={14} /> : <EyeOffIcon size={14} />}{t(unheard ? 'review.hear' : covered ? (seen === 'asked' ? 'review.show_anyway' : 'review.uncover') : 'review.cover')}<kbd>B</kbd></Button>
          )}>
            {image && <Picture file={file} seen={seen} grey={grey} closed={closed} onUncover={onUncover} onGrey={onGrey} />}
            {audio && !closed && <Clip file={file} seen={seen} />}
            {audio && closed && <p className="callout">{t('review.take_first')}</p>}
            {!image && !audio && covered && <p className="callout" role="status">{t(seen === 'asked' ? 'review.sure_to_see' : 'review.covered')}</p>}
            {!talked && !image && !audio && <p className="case-words">{covered ? <Hidden text={file.content ?? ''} /> : file.content ? <Quoted text={file.content} lang={file.language} hits={hits} /> : <span className="muted">{t('review.content_gone')}</span>}</p>}
            {talked && <Talk file={file} hits={hits} covered={covered} {...(talk ? { ref: talk } : {})} />}
          </Card>
        )}
        <Reports file={file} />
        <History file={file} />
      </div>
      <div className="case-side">
        {!ofEconomy(file) && <Why file={file} covered={covered} chosen={chosen} onChoose={(at) => setOf(at && { id: file.case_id, at })} />}
        {!ofEconomy(file) && <PolicyText file={file} category={category || file.category || file.label?.[0]?.category || ''} me={me} />}
        <PlayerCard file={file} />
      </div>
    </div>
  )
}
