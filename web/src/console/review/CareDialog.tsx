import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { explain } from '../../lib/api'
import { http } from '../../lib/http'
import { useApi, useChange } from '../../lib/query'
import { useStore } from '../../lib/store'
import { categoryName } from '../../lib/words'
import { Window } from '../../ui/ActDialog'
import { Loaded } from '../../ui/Page'
import { breaks, care, hard, setCare, type Care } from './care'
import { allCategories } from '../../lib/wire'

/** CareDialog is what a person sets for their own good; nobody else sees it. */
export function CareDialog({ open, onOpen }: { open: boolean; onOpen: (open: boolean) => void }) {
  const t = useText()
  const q = useApi('/me/preferences', {}, { enabled: open })
  return (
    <Window open={open} onOpen={onOpen} title={t('review.care')} wide>
      <Screen />
      <Loaded of={q}>{(own) => <Given key={own.request_id} optOut={own.opt_out} limit={own.exposure_limit} seen={own.exposure_24h} onDone={() => onOpen(false)} />}</Loaded>
    </Window>
  )
}

function Screen() {
  const t = useText()
  const c = useStore(care)
  const box = (name: 'blur' | 'grey' | 'mute' | 'words') => (
    <label className="check"><input type="checkbox" checked={c[name]} onChange={(e) => setCare({ [name]: e.target.checked } as Partial<Care>)} />{t(`review.care_${name}` as 'review.care_blur')}</label>
  )
  return (
    <section className="care-part" aria-labelledby="care-screen">
      <h3 id="care-screen">{t('review.care_screen')}</h3>
      {box('blur')}{box('grey')}{box('mute')}{box('words')}
      <label className="input"><span>{t('review.care_break')}</span>
        <select value={c.breakAfter} onChange={(e) => setCare({ breakAfter: Number(e.target.value) })}>{breaks.map((b) => <option key={b} value={b}>{b ? t('review.minutes', { n: b }) : t('review.never')}</option>)}</select></label>
    </section>
  )
}

function Given({ optOut, limit, seen, onDone }: { optOut: readonly string[]; limit: number; seen: number; onDone: () => void }) {
  const t = useText()
  const [out, setOut] = useState<readonly string[]>(optOut)
  const [most, setMost] = useState(String(limit))
  const save = useChange((body: { opt_out: string[]; exposure_limit: number }) => http.put('/me/preferences', { body }), ['/me/preferences'])
  const put = () => save.mutate({ opt_out: [...out], exposure_limit: Math.max(0, Math.min(10_000, Number(most) || 0)) }, { onSuccess: onDone })
  return (
    <form className="form" onSubmit={(e) => { e.preventDefault(); put() }}>
      <section className="care-part" aria-labelledby="care-given">
        <h3 id="care-given">{t('review.care_given')}</h3>
        <p>{t('review.exposure_long', { n: seen })}</p>
        <label className="input care-limit"><span>{t('review.care_limit')}</span><input type="number" min={0} max={10000} value={most} onChange={(e) => setMost(e.target.value)} /></label>
        <fieldset>
          <legend>{t('review.care_out')}</legend>
          <div className="care-list">
            {allCategories.map((c) => (
              <label key={c} className="check"><input type="checkbox" checked={out.includes(c)} onChange={(e) => setOut(e.target.checked ? [...out, c] : out.filter((x) => x !== c))} />{categoryName(c)}{hard.includes(c) && <span className="muted small">({t('review.hard')})</span>}</label>
            ))}
          </div>
        </fieldset>
        <p className="muted small">{t('review.care_private')}</p>
      </section>
      <div role="alert" className="form-alert">{save.error ? explain(save.error) : ''}</div>
      <div className="dialog-buttons"><Button type="submit" className="button primary" isDisabled={save.isPending}>{t('common.save')}</Button></div>
    </form>
  )
}
