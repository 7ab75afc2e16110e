import { useEffect, useImperativeHandle, useRef, useState, type Ref } from 'react'
import { Button } from 'react-aria-components'
import type { Scene } from '../lib/wire'
import type { TalkPhase } from '../lib/talk'
import { MicIcon, SendIcon, WarnIcon } from '../ui/icons'
import { LinkPill } from '../ui/LinkPill'
import { Bubble } from './Bubble'
import type { Player } from './usePlayer'

export interface PaneHandle { fill: (text: string, lang: string) => void }

interface Props {
  ref: Ref<PaneHandle>
  name: string
  other: string
  scene: Scene | undefined
  player: Player
  onFocus: () => void
}

const talkNotes: Record<TalkPhase, string> = {
  off: '',
  asking: 'The browser asks whether this page may use the microphone.',
  connecting: 'The call is being set up…',
  on: 'The microphone is on. What you say is checked as you say it, and where something is found a few seconds of it are kept for a moderator. Nobody else hears it here.',
}

/** Pane is one player's chat window. */
export function Pane({ ref, name, other, scene, player, onFocus }: Props) {
  const [text, setText] = useState('')
  const [lang, setLang] = useState<string>()
  const [full, setFull] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const log = useRef<HTMLDivElement>(null)
  const entries = player.entries.filter((e) => e.scene === scene?.scene_id)

  useImperativeHandle(ref, () => ({
    fill: (line, tag) => { setText(line); setLang(tag); input.current?.focus() },
  }), [])
  const newest = entries.at(-1)
  useEffect(() => {
    const box = log.current
    if (box && newest) box.scrollTop = box.scrollHeight
  }, [newest])

  const send = () => {
    const line = text.trim()
    if (!line) return
    const sent = player.say(line, lang)
    setFull(!sent)
    if (sent) { setText(''); setLang(undefined) }
  }
  const { phase, fault } = player.talk
  const note = fault ?? talkNotes[phase]
  const ready = scene !== undefined && player.link.phase === 'open'

  return (
    <section className={`pane pane-${name.toLowerCase()}`} aria-label={`${name}’s screen`}>
      <header className="pane-head">
        <span className="face" aria-hidden="true">{name[0]}</span>
        <h2>{name}</h2>
        <span className="grow" />
        <LinkPill state={player.link} live="Connected" onRetry={player.retry} />
      </header>
      <div className="log" role="log" aria-label={`Messages on ${name}’s screen`} tabIndex={0} ref={log}>
        {entries.length === 0 && <p className="log-empty muted">{ready ? `Say something as ${name}. ${other} is listening.` : player.link.reason ?? 'Connecting…'}</p>}
        {entries.map((e) => <Bubble key={`${e.is}-${e.key}`} entry={e} />)}
      </div>
      <form className="composer" onSubmit={(e) => { e.preventDefault(); send() }}>
        <input ref={input} value={text} lang={lang} onChange={(e) => { setText(e.target.value); setLang(undefined) }} onFocus={onFocus}
          aria-label={`Message as ${name}`} placeholder={`Message as ${name}`} maxLength={2000} autoComplete="off" enterKeyHint="send" />
        <Button className={phase === 'on' ? 'button talk talking' : 'button talk'} aria-pressed={phase !== 'off'} aria-label={`Talk as ${name}`} isDisabled={!ready && phase === 'off'} onPress={player.toggleTalk}><MicIcon /><span className="send-word">Talk</span></Button>
        <Button type="submit" className="button primary" isDisabled={!scene || !text.trim()} aria-label={`Send as ${name}`}><SendIcon /><span className="send-word">Send</span></Button>
      </form>
      <p className={note ? 'talk-note' : 'sr-only'} role="status">{fault && <WarnIcon size={14} />}<span>{note}</span></p>
      {full && <p className="pane-note" role="alert">Too many messages wait for their answer. Try again when the connection is back.</p>}
    </section>
  )
}
