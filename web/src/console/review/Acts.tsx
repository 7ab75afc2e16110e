import type { ReactNode } from 'react'
import { Button } from 'react-aria-components'
import { useText, type text } from '../../i18n/text'
import { useStore } from '../../lib/store'
import { prefs } from '../../lib/prefs'
import { categoryName, plain } from '../../lib/words'
import { CheckIcon, StopIcon } from '../../ui/icons'
import { keyCap, keyOf, type ActionName } from '../actions'
import type { Done } from './desk'
import type { Asked } from './Moves'
import type { Side } from './templates'

interface Props { appeal: boolean; onSide: (s: Side) => void; onAsk: (a: Asked) => void; onRelease: () => void; children?: ReactNode }

/** Key is the key of an action, where keys work. */
export function Key({ of }: { of: ActionName }) {
  const { shortcuts } = useStore(prefs)
  return shortcuts ? <kbd>{keyCap(keyOf(of))}</kbd> : null
}

/** Acts is everything that can be done with a case, each with its key. */
export function Acts({ appeal, onSide, onAsk, onRelease, children }: Props) {
  const t = useText()
  return (
    <div className="acts" role="group" aria-label={t('review.acts')}>
      <Button className="button approve" onPress={() => onSide('approve')}><CheckIcon />{t(appeal ? 'review.uphold' : 'review.approve')}<Key of="approve" /></Button>
      <Button className="button reject" onPress={() => onSide('reject')}><StopIcon />{t(appeal ? 'review.deny' : 'review.reject')}<Key of="reject" /></Button>
      <span className="acts-gap" />
      <Button className="button" onPress={() => onAsk('escalate')}>{t('review.escalate')}<Key of="escalate" /></Button>
      <Button className="button" onPress={() => onAsk('hold')}>{t('review.hold')}<Key of="putAside" /></Button>
      <Button className="button" onPress={() => onAsk('handover')}>{t('review.handover')}<Key of="handover" /></Button>
      <Button className="button" onPress={() => onAsk('skip')}>{t('review.skip')}<Key of="skip" /></Button>
      <Button className="button" onPress={onRelease}>{t('review.release')}<Key of="release" /></Button>
      {children}
    </div>
  )
}

/** What was done last, in words. */
export function doneWords({ ruling, work }: Done, t: typeof text): { what: string; category: string } {
  const word = { approve: 'review.approved', reject: 'review.rejected', uphold: 'review.upheld', deny: 'review.denied' } as const
  const category = ruling.category ?? work.file.category
  return { what: t(word[ruling.decision]), category: category ? categoryName(category) : plain(work.file.kind ?? 'content') }
}

/** Last is the decision before, which can be taken back. */
export function Last({ of, onUndo }: { of: Done; onUndo: () => void }) {
  const t = useText()
  return <Button className="button last" onPress={onUndo}><span className="muted">{t('review.done', doneWords(of, t))}</span>{t('review.undo')}<Key of="undo" /></Button>
}
