import { useEffect, useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../i18n/text'
import { explain } from '../lib/api'
import { Store, useStore } from '../lib/store'
import { CloseIcon } from './icons'

interface Told { id: number; text: string; undo?: (() => Promise<unknown>) | undefined }

const told = new Store<readonly Told[]>([])
let next = 1
/** At most so many stand at once; the oldest goes. */
const most = 4

/** Says that something was done; with undo, a way to take it back. */
export function toast(text: string, undo?: () => Promise<unknown>): void {
  told.set([...told.get(), { id: next++, text, undo }].slice(-most))
}

const away = (id: number) => told.set(told.get().filter((x) => x.id !== id))

/** Toasts stands once in the shell. */
export function Toasts() {
  const all = useStore(told)
  return <div className="toasts" role="status" aria-live="polite">{all.map((x) => <Toast key={x.id} of={x} />)}</div>
}

function Toast({ of }: { of: Told }) {
  const t = useText()
  const [busy, setBusy] = useState(false)
  const [rest, setRest] = useState(false)
  // What can be undone stays longer, and as long as somebody is at it.
  useEffect(() => {
    if (rest || busy) return
    const timer = setTimeout(() => away(of.id), of.undo ? 15_000 : 6000)
    return () => clearTimeout(timer)
  }, [of, rest, busy])
  const undo = async () => {
    setBusy(true)
    try {
      await of.undo?.()
      away(of.id)
      toast(t('common.undone'))
    } catch (err) {
      away(of.id)
      toast(explain(err))
    }
  }
  return (
    <div className="toast" onPointerEnter={() => setRest(true)} onPointerLeave={() => setRest(false)} onFocus={() => setRest(true)} onBlur={() => setRest(false)}>
      <span>{of.text}</span>
      {of.undo && <Button className="link-button" isDisabled={busy} onPress={() => void undo()}>{t('common.undo')}</Button>}
      <Button className="icon-button tiny" aria-label={t('common.dismiss')} onPress={() => away(of.id)}><CloseIcon size={13} /></Button>
    </div>
  )
}
