import { useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { Button } from 'react-aria-components'
import { hasText, useText, type TextKey } from '../../i18n/text'
import { explain } from '../../lib/api'
import type { components } from '../../lib/api.gen'
import { http } from '../../lib/http'
import { categoryName, fineShare, plain } from '../../lib/words'
import { VerdictChip } from '../../ui/Chips'
import { Card } from '../../ui/Page'
import { Quoted } from '../../ui/Quoted'

type Explanation = components['schemas']['Explanation']

/** ReadBox shows how a text is read, step by step, what is found in it and what the policy makes of that. */
export function ReadBox({ app }: { app: string }) {
  const t = useText()
  const [content, setContent] = useState('')
  const [language, setLanguage] = useState('')
  const [scene, setScene] = useState('')
  const ask = useMutation({ mutationFn: () => http.post('/policies/explain', { query: { app_id: app }, body: { content, ...(language ? { language } : {}), ...(scene ? { scene_id: scene } : {}) } }) })
  return (
    <Card title={t('lists.read')}>
      <form className="form" onSubmit={(e) => { e.preventDefault(); ask.mutate() }}>
        <label className="input"><span>{t('policies.try_content')}</span><textarea rows={2} value={content} maxLength={10_000} spellCheck={false} onChange={(e) => setContent(e.target.value)} /></label>
        <div className="fields">
          <label className="input"><span>{t('policies.ask_language')}</span><input value={language} maxLength={35} spellCheck={false} onChange={(e) => setLanguage(e.target.value)} /></label>
          <label className="input"><span>{t('policies.ask_scene_id')}</span><input value={scene} maxLength={128} spellCheck={false} onChange={(e) => setScene(e.target.value)} /></label>
          <Button type="submit" className="button" isDisabled={content === '' || ask.isPending}>{t(ask.isPending ? 'common.working' : 'lists.read_it')}</Button>
        </div>
        {ask.error && <p className="fault" role="alert">{explain(ask.error)}</p>}
      </form>
      <div role="status">{ask.data && <Shown x={ask.data.explanation} language={language} />}</div>
    </Card>
  )
}

/** What a step is called; one that is new here shows its own name. */
function stepName(t: ReturnType<typeof useText>, step: string): string {
  const key = `lists.step_${step}`
  return hasText(key) ? t(key as TextKey) : plain(step)
}

function Shown({ x, language }: { x: Explanation; language: string }) {
  const t = useText()
  return (
    <div className="readings">
      <p><VerdictChip of={{ suggestion: x.suggestion, action: x.action, mode: x.mode }} /> {x.observed && <span className="muted">{t('lists.observed')}</span>} {x.masked && <>{t('lists.masked_as')} <Quoted text={x.masked} lang={language} /></>}</p>
      <h3>{t('lists.readings')}</h3>
      <ol className="reading-list">
        {x.readings.map((r, i) => (
          <li key={i}>
            <p><span className="chip chip-seen">{stepName(t, r.name)}</span> <Quoted text={r.text} lang={language} /></p>
            {r.changes.length > 0 && (
              <ul className="reading-changes">{r.changes.map((c) => (
                <li key={c.start}><Quoted text={c.written} /> <span aria-hidden="true">→</span><span className="sr-only">{t('lists.read_as')}</span> <Quoted text={c.read} /> <span className="muted small">{c.steps.map((s) => stepName(t, s)).join(', ')}</span></li>
              ))}</ul>
            )}
          </li>
        ))}
      </ol>
      <h3>{t('lists.found')}</h3>
      {x.signals.length === 0 ? <p className="muted">{t('lists.nothing_found')}</p> : (
        <ul className="signals">{x.signals.map((s, i) => (
          <li key={i}>
            <p><strong>{categoryName(s.category)}{s.sub_label && `: ${plain(s.sub_label)}`}</strong> {fineShare(s.confidence)} <span className={`chip chip-${s.leads_to}`}>{t(`words.${s.leads_to}`)}</span></p>
            <p className="small"><Quoted text={s.matched} lang={s.language} /> <span className="muted">{plain(s.source)} <code>{s.rule}</code>{s.steps.length > 0 && ` · ${s.steps.map((y) => stepName(t, y)).join(', ')}`}</span></p>
            <p className="muted small" lang="en">{s.why}</p>
            {s.reasons && <ul className="inline-list small">{s.reasons.slice(0, 6).map((r) => <li key={r.what}><Quoted text={r.what} /> <span className="num">{r.weight > 0 ? '+' : '−'}{Math.abs(r.weight).toFixed(2)}</span></li>)}</ul>}
          </li>
        ))}</ul>
      )}
    </div>
  )
}
