import { useEffect, useRef } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { useStore } from '../../lib/store'
import { prefs } from '../../lib/prefs'
import { categoryName } from '../../lib/words'
import { CheckIcon, StopIcon } from '../../ui/icons'
import type { CaseFile, Ruling } from './calls'
import { ofEconomy } from '../../lib/economy'
import { ruleOf, templates, type Side } from './templates'
import { allCategories } from '../../lib/wire'

/** A decision while it is made. */
export interface Choice { side: Side; pick: number; policy: string; reason: string; category: string; severity: number; note: string; statement: string }

/** A choice as it begins: the first of the reasons that are given often. */
export function choose(file: CaseFile, side: Side, pick: number, said: (key: ReturnType<typeof templates>[number]) => string, had?: Ruling): Choice {
  const list = templates(file, side)
  const at = Math.min(pick, list.length - 1)
  const same = had && (had.decision === 'approve' || had.decision === 'uphold') === (side === 'approve')
  return {
    side, pick: same ? -1 : at, policy: same ? had.policy : ruleOf(file), reason: same ? had.reason : said(list[at] as (typeof list)[number]),
    category: (same && had.category) || file.category || '', severity: 0, note: (same && had.note) || '', statement: (same && had.statement) || '',
  }
}

/** What is sent of a choice. */
export function rulingOf(c: Choice, file: CaseFile): Ruling {
  const reject = c.side === 'reject'
  const named = reject && c.category && (c.category !== file.category || c.severity > 0)
  const appeal = file.kind === 'appeal'
  return {
    decision: appeal ? (reject ? 'deny' : 'uphold') : c.side, policy: c.policy.trim(), reason: c.reason.trim(),
    ...(named && !appeal ? { category: c.category } : {}), ...(named && !appeal && c.severity > 0 ? { severity: c.severity } : {}),
    ...(c.note.trim() ? { note: c.note.trim() } : {}), ...(appeal && c.statement.trim() ? { statement: c.statement.trim() } : {}),
  }
}

/** What is missing before a choice can be sent. */
export const missing = (c: Choice, file: CaseFile): 'policy' | 'reason' | 'category' | '' =>
  !c.policy.trim() ? 'policy' : !c.reason.trim() ? 'reason' : c.side === 'reject' && !c.category && !ofEconomy(file) && file.kind !== 'appeal' ? 'category' : ''

interface Props { file: CaseFile; choice: Choice; onChange: (c: Choice) => void; onSubmit: () => void; onCancel: () => void }

/** Decision is the form of a choice: why, by which rule; Enter sends it from anywhere but a text of several lines. */
export function Decision({ file, choice: c, onChange, onSubmit, onCancel }: Props) {
  const t = useText()
  const { shortcuts } = useStore(prefs)
  const box = useRef<HTMLFormElement>(null)
  // Enter must not press the button that opened the form.
  useEffect(() => { box.current?.focus() }, [file.case_id, c.side])
  const list = templates(file, c.side)
  const lacks = missing(c, file)
  const appeal = file.kind === 'appeal'
  const set = (change: Partial<Choice>) => onChange({ ...c, ...change })
  const onKey = (e: React.KeyboardEvent) => {
    if (e.key === 'Escape') { e.preventDefault(); e.stopPropagation(); onCancel() }
    if (e.key === 'Enter' && (e.ctrlKey || e.metaKey) && !e.nativeEvent.isComposing) { e.preventDefault(); onSubmit() }
  }
  const word = t(appeal ? (c.side === 'approve' ? 'review.uphold' : 'review.deny') : c.side === 'approve' ? 'review.approve' : 'review.reject')
  return (
    <form className="decision" ref={box} tabIndex={-1} aria-label={word} onKeyDown={onKey} onSubmit={(e) => { e.preventDefault(); onSubmit() }}>
      <fieldset className="picks">
        <legend><strong>{word}</strong>: {t('review.because')}</legend>
        {list.map((key, i) => (
          <label key={key} className="pick">
            <input type="radio" name="pick" checked={c.pick === i} onChange={() => set({ pick: i, reason: t(key) })} />
            <span>{t(key)}</span>{shortcuts && <kbd>{i + 1}</kbd>}
          </label>
        ))}
      </fieldset>
      <div className="decision-fields">
        <label className="input decision-reason"><span>{t('review.reason')}<kbd>R</kbd></span>
          <textarea id="review-reason" rows={2} maxLength={2000} value={c.reason} onChange={(e) => set({ reason: e.target.value, pick: -1 })} /></label>
        <label className="input"><span>{t('review.rule_named')}</span><input maxLength={200} value={c.policy} onChange={(e) => set({ policy: e.target.value })} /></label>
        {c.side === 'reject' && !appeal && !ofEconomy(file) && (
          <>
            <label className="input"><span>{t('review.category')}<kbd>C</kbd></span>
              <select id="review-category" value={c.category} onChange={(e) => set({ category: e.target.value, policy: ruleOf(file, e.target.value) })}>
                {!file.category && <option value="">{t('review.choose')}</option>}
                {allCategories.map((x) => <option key={x} value={x}>{categoryName(x)}</option>)}
              </select></label>
            <label className="input"><span>{t('review.severity_named')}</span>
              <select value={c.severity} onChange={(e) => set({ severity: Number(e.target.value) })}>
                <option value={0}>{t('review.as_found')}</option>
                {[1, 2, 3, 4].map((n) => <option key={n} value={n}>{t(`review.severity_${n}` as 'review.severity_1')}</option>)}
              </select></label>
          </>
        )}
        {appeal && <label className="input decision-reason"><span>{t('review.to_player')}</span><textarea rows={2} maxLength={2000} value={c.statement} onChange={(e) => set({ statement: e.target.value })} /></label>}
        <label className="input"><span>{t('review.note_optional')}</span><input maxLength={2000} value={c.note} onChange={(e) => set({ note: e.target.value })} /></label>
      </div>
      <div className="decision-send">
        {lacks && <span className="form-alert" role="alert">{t(`review.lacks_${lacks}` as 'review.lacks_reason')}</span>}
        <span className="grow" />
        <Button className="button" onPress={onCancel}>{t('common.cancel')}<kbd>Esc</kbd></Button>
        <Button type="submit" className={`button ${c.side === 'approve' ? 'approve' : 'reject'}`} isDisabled={lacks !== ''}>
          {c.side === 'approve' ? <CheckIcon /> : <StopIcon />}{t('review.submit', { what: word })}<kbd>↵</kbd>
        </Button>
      </div>
    </form>
  )
}
