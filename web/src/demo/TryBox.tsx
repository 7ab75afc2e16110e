import { useEffect, useState } from 'react'
import { api, explain } from '../lib/api'
import type { Explanation, Scene } from '../lib/wire'
import { categoryName, plain, share, suggestionName } from '../lib/words'
import { VerdictChip } from '../ui/Chips'
import { Quoted } from '../ui/Quoted'

type Answer = { of: string; is?: Explanation; error?: string }

/** TryBox shows what a verdict rests on, as the text is typed; nobody is sent anything. */
export function TryBox({ scene }: { scene: Scene | undefined }) {
  const [text, setText] = useState('')
  const [answer, setAnswer] = useState<Answer>()
  const scene_id = scene?.scene_id

  useEffect(() => {
    if (!text) return
    const stop = new AbortController()
    const wait = setTimeout(() => {
      api.demoExplain(text, scene_id, stop.signal).then(
        ({ explanation }) => setAnswer({ of: text, is: explanation }),
        (err: unknown) => { if (!stop.signal.aborted) setAnswer({ of: text, error: explain(err) }) },
      )
    }, 150) // one request for a word typed, not for each letter
    return () => { clearTimeout(wait); stop.abort() }
  }, [text, scene_id])

  return (
    <section className="try" aria-label="Look inside a verdict">
      <header className="mods-head">
        <h2>Look inside a verdict</h2>
        <span className="muted">What the engine finds and why. Only you see it.</span>
      </header>
      <div className="try-box">
        <input value={text} onChange={(e) => setText(e.target.value)} aria-label="Text to look into" placeholder="Type anything, in any language"
          maxLength={2000} autoComplete="off" spellCheck={false} />
        {text !== '' && answer?.error && <p role="alert" className="form-alert">{answer.error}</p>}
        {text !== '' && answer?.is && <Findings of={answer.is} text={answer.of} />}
      </div>
    </section>
  )
}

function Findings({ of, text }: { of: Explanation; text: string }) {
  return (
    <div className="try-out" aria-live="polite">
      <p className="try-verdict">
        <VerdictChip of={{ suggestion: of.suggestion, action: of.action, mode: of.mode, observed: of.observed ? { suggestion: of.suggestion } : undefined }} />
        <Quoted text={text} hits={of.signals.filter((s) => s.end > s.start && s.leads_to !== 'pass')} />
      </p>
      {of.masked !== undefined && <p className="muted">Delivered as: <Quoted text={of.masked} /></p>}
      {of.signals.length === 0 && <p className="muted">Nothing found.</p>}
      <ul className="try-list">
        {of.signals.map((s, i) => <Finding key={i} of={s} />)}
      </ul>
    </div>
  )
}

function Finding({ of }: { of: Explanation['signals'][number] }) {
  const steps = of.steps.map((s) => plain(s).toLowerCase()).join(', ')
  return (
    <li className="try-row">
      <p className="try-what">
        <span className="cat">{categoryName(of.category)}{of.sub_label ? `, ${plain(of.sub_label).toLowerCase()}` : ''} {share(of.confidence)}</span>
        <span>{of.matched ? <Quoted text={of.matched} /> : 'the text as a whole'}</span>
        <code>{of.source}: {of.rule}</code>
        {steps && <span className="muted">read as {steps}</span>}
      </p>
      <p className="muted">{suggestionName(of.leads_to)}: {of.why}.</p>
      {of.reasons && (
        <p className="try-reasons">
          {of.reasons.map((r, i) => <span key={i} className={r.weight > 0 ? 'for' : 'against'}><bdi>{r.what}</bdi> <span className="num">{r.weight > 0 ? '+' : '−'}{Math.abs(r.weight).toFixed(2)}</span></span>)}
        </p>
      )}
    </li>
  )
}
