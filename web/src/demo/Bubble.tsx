import type { ReactNode } from 'react'
import { clock } from '../lib/clip'
import { categoryName, millis } from '../lib/words'
import { CheckIcon, ClockIcon, FlagIcon, HoldIcon, MaskIcon, MicIcon, StopIcon, WarnIcon } from '../ui/icons'
import { Quoted } from '../ui/Quoted'
import type { Entry, Fate, Own, Spoken } from './thread'

const fates: Record<Fate, { tone: string; word: string; icon: ReactNode }> = {
  sending: { tone: 'pending', word: 'Sending', icon: <ClockIcon size={13} /> },
  checking: { tone: 'pending', word: 'Delivered, being checked', icon: <ClockIcon size={13} /> },
  delivered: { tone: 'pass', word: 'Delivered', icon: <CheckIcon size={13} /> },
  masked: { tone: 'mask', word: 'Masked', icon: <MaskIcon size={13} /> },
  held: { tone: 'hold', word: 'Held for a moderator', icon: <HoldIcon size={13} /> },
  blocked: { tone: 'block', word: 'Blocked', icon: <StopIcon size={13} /> },
  'taken back': { tone: 'block', word: 'Taken back', icon: <StopIcon size={13} /> },
  approved: { tone: 'pass', word: 'Approved, delivered', icon: <CheckIcon size={13} /> },
  rejected: { tone: 'block', word: 'Rejected', icon: <StopIcon size={13} /> },
  refused: { tone: 'review', word: 'Not sent', icon: <WarnIcon size={13} /> },
}

/** Bubble is one line of a player's screen. */
export function Bubble({ entry }: { entry: Entry }) {
  switch (entry.is) {
    case 'own': return <OwnBubble own={entry} />
    case 'other':
      return (
        <div className={entry.retracted ? 'bubble other retracted' : 'bubble other'}>
          <p className="said">
            {entry.retracted && <span className="sr-only">Taken back: </span>}
            <Quoted text={entry.text} lang={entry.lang} />
          </p>
          {entry.retracted && <p className="fate"><FlagIcon size={13} />Taken back by the moderation</p>}
        </div>
      )
    case 'spoken': return <SpokenBubble spoken={entry} />
    case 'notice':
      return <p className={`notice notice-${entry.kind}`}><WarnIcon size={14} /><span>{entry.text}</span></p>
  }
}

/** What was said is out; what was found in it is told after. */
function SpokenBubble({ spoken }: { spoken: Spoken }) {
  const blocked = spoken.suggestion === 'block'
  return (
    <div className="bubble own spoken" data-suggestion={spoken.suggestion}>
      <p className="said"><MicIcon size={14} /> Said aloud, at {clock(spoken.at)} of the call</p>
      <p className="fate" role="status">
        <span className={`chip chip-${blocked ? 'block' : 'review'}`}>{blocked ? <StopIcon size={13} /> : <FlagIcon size={13} />}{blocked ? 'Against the rules' : 'A moderator will hear it'}</span>
        {spoken.categories.map((c) => <span key={c} className="cat">{categoryName(c)}</span>)}
        <span className="muted num">{millis(spoken.ms)}</span>
      </p>
    </div>
  )
}

function OwnBubble({ own }: { own: Own }) {
  const { tone, word, icon } = fates[own.fate]
  const gone = own.fate === 'blocked' || own.fate === 'taken back' || own.fate === 'rejected' || own.fate === 'refused'
  return (
    <div className={gone ? 'bubble own gone' : 'bubble own'} data-fate={own.fate}>
      <p className="said"><Quoted text={own.text} lang={own.lang} /></p>
      {own.published !== undefined && own.published !== own.text && (
        <p className="published muted">Others see: <Quoted text={own.published} lang={own.lang} /></p>
      )}
      <p className="fate" role="status">
        <span className={`chip chip-${tone}`}>{icon}{word}</span>
        {own.why && <span>{own.why}</span>}
        {own.categories.map((c) => <span key={c} className="cat">{categoryName(c)}</span>)}
        {own.ms !== undefined && <span className="muted num">{millis(own.ms)}</span>}
      </p>
    </div>
  )
}
