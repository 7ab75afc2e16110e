import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import type { Body } from '../../lib/layer'
import { Card } from '../../ui/Page'
import type { Draft } from './useDraft'

/** AsJSON is all that a layer says, for what the form has no field for: trust, economy, segments of a region. */
export function AsJSON({ d, text: about }: { d: Draft; text?: string }) {
  const t = useText()
  const [text, setText] = useState<string | null>(null)
  const [wrong, setWrong] = useState('')
  const take = () => {
    try {
      const v: unknown = JSON.parse(text ?? '')
      if (typeof v !== 'object' || v === null || Array.isArray(v)) throw new Error(t('policies.json_object'))
      d.set(v as Body)
      setText(null)
      setWrong('')
    } catch (err) { setWrong(err instanceof Error ? err.message : String(err)) }
  }
  return (
    <Card title={t('policies.as_json')}>
      <details onToggle={(e) => { if (!e.currentTarget.open) { setText(null); setWrong('') } }}>
        <summary>{about ?? t('policies.as_json_text')}</summary>
        <label className="input"><span className="sr-only">{t('policies.as_json')}</span>
          <textarea className="mono" rows={14} spellCheck={false} value={text ?? JSON.stringify(d.body, null, 2)} aria-invalid={wrong !== '' || undefined} onChange={(e) => setText(e.target.value)} /></label>
        <span role="alert" className="fault">{wrong}</span>
        <Button className="button small" isDisabled={text === null} onPress={take}>{t('policies.take_json')}</Button>
      </details>
    </Card>
  )
}
