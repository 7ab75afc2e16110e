import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { Window } from '../../ui/ActDialog'
import { CopyIcon } from '../../ui/icons'

export interface Once { title: string; what: string; secret: string; text?: string }

/** SecretOnce shows a secret that no other answer ever holds; it closes only once somebody says it is kept. */
export function SecretOnce({ of, onDone }: { of: Once | null; onDone: () => void }) {
  const t = useText()
  const [copied, setCopied] = useState<'yes' | 'no' | ''>('')
  if (!of) return null
  const copy = () => navigator.clipboard.writeText(of.secret).then(() => setCopied('yes'), () => setCopied('no'))
  const done = () => { setCopied(''); onDone() }
  return (
    <Window open onOpen={(o) => { if (!o) done() }} wide title={of.title}>
      <p className="callout warn">{t('settings.once')}</p>
      {of.text && <p>{of.text}</p>}
      <label className="input"><span>{of.what}</span><input className="mono" readOnly value={of.secret} spellCheck={false} onFocus={(e) => e.target.select()} /></label>
      <div className="dialog-buttons">
        <span role="status" className="muted">{copied === 'yes' ? t('common.copied') : copied === 'no' ? t('common.not_copied') : ''}</span>
        <Button className="button" onPress={() => void copy()}><CopyIcon /> {t('settings.copy')}</Button>
        <Button className="button primary" onPress={done}>{t('settings.kept')}</Button>
      </div>
    </Window>
  )
}
