// Verdict chips: word, shape and colour together, never colour alone.
import { text, useText } from '../i18n/text'
import type { Action, FeedEvent, Label, Mode, Suggestion } from '../lib/wire'
import { actionName, categoryName, plain, suggestionName } from '../lib/words'
import { CheckIcon, ClockIcon, EyeIcon, FlagIcon, HoldIcon, MaskIcon, StopIcon } from './icons'

interface VerdictLike {
  suggestion: Suggestion
  action: Action
  mode?: Mode
  observed?: { suggestion: Suggestion } | undefined
  other?: FeedEvent['other']
}

type Tone = 'pass' | 'review' | 'block' | 'mask' | 'hold' | 'seen'

function shape(v: VerdictLike): { tone: Tone; word: string; Icon: typeof CheckIcon } {
  if (v.other) return { tone: v.other.tone, word: v.other.word, Icon: { block: StopIcon, review: FlagIcon, pass: CheckIcon }[v.other.tone] }
  if (v.observed && v.observed.suggestion !== 'pass') return { tone: 'seen', word: text('words.say_seen', { what: suggestionName(v.observed.suggestion) }), Icon: EyeIcon }
  if (v.action === 'mask') return { tone: 'mask', word: text('words.masked'), Icon: MaskIcon }
  if (v.action === 'hold') return { tone: 'hold', word: text('words.held'), Icon: HoldIcon }
  if (v.suggestion === 'block') {
    return { tone: 'block', word: text(v.mode === 'deferred_review' ? 'words.retracted' : 'words.blocked'), Icon: StopIcon }
  }
  if (v.suggestion === 'review') return { tone: 'review', word: text('words.review'), Icon: FlagIcon }
  return { tone: 'pass', word: text('words.pass'), Icon: CheckIcon }
}

export function VerdictChip({ of }: { of: VerdictLike }) {
  useText()
  const { tone, word, Icon } = shape(of)
  return (
    <span className={`chip chip-${tone}`} title={of.other ? undefined : actionName(of.action)}>
      <Icon size={13} />
      {word}
    </span>
  )
}

export function PendingChip({ word }: { word: string }) {
  return <span className="chip chip-pending"><ClockIcon size={13} />{word}</span>
}

export function CategoryChips({ labels, max = 3 }: { labels: readonly Pick<Label, 'category' | 'sub_label'>[]; max?: number }) {
  const names = [...new Set(labels.map((l) => categoryName(l.category)))]
  if (!names.length) return null
  return (
    <span className="cats" title={labels.map((l) => (l.sub_label ? `${categoryName(l.category)}: ${plain(l.sub_label)}` : categoryName(l.category))).join(', ')}>
      {names.slice(0, max).map((n) => <span key={n} className="cat">{n}</span>)}
      {names.length > max && <span className="cat">+{names.length - max}</span>}
    </span>
  )
}
