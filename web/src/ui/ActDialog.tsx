import { useState, type ReactNode } from 'react'
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useText } from '../i18n/text'
import { explain } from '../lib/api'
import { CloseIcon } from './icons'

interface PlainShape { open: boolean; onOpen: (open: boolean) => void; title: string; wide?: boolean; children: ReactNode }

/** Window is a dialog over the page: its title, a way out, its content. */
export function Window({ open, onOpen, title, wide, children }: PlainShape) {
  const t = useText()
  return (
    <ModalOverlay className="overlay" isOpen={open} onOpenChange={onOpen} isDismissable>
      <Modal className={wide ? 'modal modal-wide' : 'modal'}>
        <Dialog className="dialog">
          <div className="dialog-head">
            <Heading slot="title">{title}</Heading>
            <Button slot="close" className="icon-button" aria-label={t('common.close')}><CloseIcon /></Button>
          </div>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

interface Props {
  open: boolean
  onOpen: (open: boolean) => void
  title: string
  /** The words on the button that does it. */
  confirm: string
  danger?: boolean
  /** For what has many fields. */
  wide?: boolean
  /** Whether a reason must be given, may be, or is not asked for; a label is one that must be, on one line of 128 characters. */
  reason?: 'required' | 'label' | 'optional' | 'none'
  /** A word that has to be typed before a thing that can't be taken back. */
  typed?: string
  /** What it is about, and further fields. */
  children?: ReactNode
  /** May the button be pressed, besides the reason? */
  ready?: boolean
  /** Does it; the dialog closes when it succeeds and says why when not. */
  run: (reason: string) => Promise<unknown>
}

/** ActDialog asks before something is done to somebody: what, why, and then once more. */
export function ActDialog({ open, onOpen, ...rest }: Props) {
  return <Window open={open} onOpen={onOpen} title={rest.title} wide={rest.wide ?? false}><ActForm onOpen={onOpen} {...rest} /></Window>
}

/** The form is made anew with each opening: nothing of the last reason stays. */
function ActForm({ onOpen, confirm, danger, reason = 'required', typed, children, ready = true, run }: Omit<Props, 'open' | 'title' | 'wide'>) {
  const t = useText()
  const [why, setWhy] = useState('')
  const [word, setWord] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState('')
  const asked = reason === 'required' || reason === 'label'
  const may = ready && (!asked || why.trim() !== '') && (!typed || word === typed)
  const act = async () => {
    setBusy(true)
    setError('')
    try {
      await run(why.trim())
      onOpen(false)
    } catch (err) {
      setError(explain(err))
      setBusy(false)
    }
  }
  return (
    <form className="form" onSubmit={(e) => { e.preventDefault(); if (may && !busy) void act() }}>
      {children}
      {reason !== 'none' && (
        <label className="input"><span>{t(asked ? 'common.reason' : 'common.reason_optional')}</span>
          {reason === 'label'
            ? <input maxLength={128} value={why} required autoComplete="off" onChange={(e) => setWhy(e.target.value)} />
            : <textarea rows={3} maxLength={2000} value={why} required={asked} onChange={(e) => setWhy(e.target.value)} />}</label>
      )}
      {typed && <label className="input"><span>{t('common.type_to_confirm', { word: typed })}</span><input value={word} autoComplete="off" spellCheck={false} onChange={(e) => setWord(e.target.value)} /></label>}
      <div role="alert" className="form-alert">{error}</div>
      <div className="dialog-buttons">
        <Button className="button" onPress={() => onOpen(false)}>{t('common.cancel')}</Button>
        <Button type="submit" className={danger ? 'button danger' : 'button primary'} isDisabled={!may}>{busy ? t('common.working') : confirm}</Button>
      </div>
    </form>
  )
}
