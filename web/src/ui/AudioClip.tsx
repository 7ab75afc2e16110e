import { useEffect, useId, useRef, useState, type RefObject } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../i18n/text'
import { explain, requestBlob } from '../lib/api'
import { clock, lines, meet, peaksOf, shifted, soundOf, spaced, type Sound, type Speech, type Word } from '../lib/clip'
import type { components } from '../lib/api.gen'
import { categoryName, plain } from '../lib/words'
import { HoldIcon, PauseIcon, PlayIcon } from './icons'
import { Quoted } from './Quoted'
import { Waveform } from './Waveform'

type Label = components['schemas']['Label']

export interface AudioClipProps {
  /** Where the sound is, below api/v1/: `evidence/{id}`, `cases/{id}/content`. It is fetched when it is first played. */
  path: string
  /** result.media, or media of a case. */
  media?: components['schemas']['Media'] | Sound | undefined
  /** What was found; those with at_ms are marked in the sound and can be gone to. */
  labels?: readonly Label[] | undefined
  /** What was said, where media has no words with their times. */
  content?: string | undefined
  lang?: string | undefined
}

/**
 * AudioClip is a recording: its words first, then its sound, which plays when it is
 * asked to, and can be heard when that is asked for too.
 */
export function AudioClip({ path, media, labels = [], content = '', lang }: AudioClipProps) {
  const t = useText()
  const sound = soundOf(media)
  const audio = useRef<HTMLAudioElement>(null)
  const player = usePlayer(audio, path)
  // Of a live call all times are the call's, and the recording begins within it.
  const start = sound?.clip_from_ms ?? 0
  const found = shifted(labels.filter((l) => l.end_ms !== undefined).map((l) => ({ ...l, at_ms: l.at_ms ?? 0, end_ms: l.end_ms ?? 0 })), start)
  const words = shifted(sound?.transcript ?? [], start)
  const speech = (sound?.speakers ?? 0) > 1 ? shifted(sound?.speech ?? [], start) : []
  const ends = Math.max(0, ...[...found, ...words].map((s) => s.end_ms)) // what was looked at may begin later than the recording
  const all = player.length || Math.max(sound?.duration_ms ?? 0, ends)
  const keys = useId()
  return (
    <div
      className="audio-clip" role="group" aria-label={t('clip.title')} aria-describedby={keys}
      onKeyDown={(e) => { if (e.key.toLowerCase() === 'm' && !e.ctrlKey && !e.metaKey && !e.altKey) { e.preventDefault(); e.stopPropagation(); player.setMuted(!player.muted) } }}
    >
      <h3>{t('clip.transcript')}</h3>
      {sound?.transcript_reliable === false && <p className="callout warn">{t('clip.unreliable')}</p>}
      {words.some((w) => w.listed) && <p className="muted small">{t('clip.listed')}</p>}
      <Transcript words={words} speech={speech} content={content} lang={lang ?? sound?.spoken_language} found={found} at={player.at} onGo={player.go} />
      {/* Its words stand above. */}
      <audio ref={audio} muted={player.muted} preload="none" src={player.src || undefined} hidden />
      <Waveform peaks={sound?.peaks?.length ? sound.peaks : player.peaks} marks={found} at={player.at} length={all} onGo={player.go} onToggle={player.toggle} />
      <div className="row-of">
        <Button className="button" isDisabled={player.fetching} onPress={player.toggle}>
          {player.playing ? <PauseIcon size={14} /> : <PlayIcon size={14} />}
          {t(player.playing ? 'clip.pause' : 'clip.play')}
        </Button>
        <Button className="button" aria-pressed={!player.muted} onPress={() => player.setMuted(!player.muted)}>
          {t(player.muted ? 'clip.unmute' : 'clip.mute')}<kbd>M</kbd>
        </Button>
        <label className="audio-speed">
          {t('clip.speed')}{' '}
          <select value={player.speed} onChange={(e) => player.setSpeed(Number(e.target.value))}>
            {[0.5, 1, 1.5, 2].map((n) => <option key={n} value={n}>{t('clip.speed_value', { n })}</option>)}
          </select>
        </label>
        <span className="audio-time">{t('clip.position_value', { at: clock(player.at), all: clock(all) })}</span>
        {sound && <span className="muted small">{t('clip.facts', { format: sound.format.replace('_', '/'), length: clock(all), channels: sound.channels })}{sound.speakers ? `, ${t('clip.speakers', { n: sound.speakers })}` : ''}</span>}
      </div>
      <p className="muted small" role="status">
        {player.fault ? t('clip.failed', { why: player.fault }) : player.fetching ? <><HoldIcon size={12} /> {t('clip.loading')}</> : player.muted ? t('clip.muted_note') : ''}
      </p>
      {found.length > 0 && (
        <>
          <h3>{t('clip.found')}</h3>
          <ul className="audio-found">
            {found.map((l, i) => (
              <li key={i}>
                <Button className="link-button" aria-label={`${t('clip.stretch', { from: clock(l.at_ms), to: clock(l.end_ms) })}: ${categoryName(l.category)}. ${t('clip.at', { at: clock(l.at_ms) })}`} onPress={() => player.go(l.at_ms)}>
                  {t('clip.stretch', { from: clock(l.at_ms), to: clock(l.end_ms) })}
                </Button>
                {' '}{categoryName(l.category)}{l.sub_label ? `, ${plain(l.sub_label)}` : ''}
              </li>
            ))}
          </ul>
        </>
      )}
      <p id={keys} className="muted small">{t('clip.keys')}</p>
    </div>
  )
}

interface TranscriptProps {
  words: readonly Word[]
  /** Who speaks when, where several voices are told apart. */
  speech: readonly Speech[]
  content: string
  lang: string | undefined
  found: readonly { at_ms: number; end_ms: number }[]
  at: number
  onGo: (ms: number) => void
}

/** Transcript is what was said: text alone. A press on a word goes there; what was found is marked. */
function Transcript({ words, speech, content, lang, found, at, onGo }: TranscriptProps) {
  const t = useText()
  if (!words.length) return <p className="case-words">{content ? <Quoted text={content} lang={lang} /> : <span className="muted">{t('clip.no_transcript')}</span>}</p>
  return (
    <div className="case-words audio-words" lang={lang || undefined}>
      {lines(words, speech).map((line, i) => {
        let before = ''
        return (
          <p key={i} dir="auto">
            <span className="audio-stamp">{clock(line.words[0]?.at_ms ?? 0)}</span>
            {line.speaker !== undefined && <span className="audio-who">{t('clip.voice', { n: line.speaker })}</span>}
            {line.words.map((w, k) => {
              const space = spaced(before, w) ? ' ' : ''
              before = w.text
              const now = at > 0 && w.at_ms <= at && at < w.end_ms
              const Tag = w.doubted ? 's' : found.some((f) => meet(f, w)) ? 'mark' : 'span'
              return <bdi key={k}>{space}<Tag className={[now ? 'audio-now' : '', w.listed ? 'audio-listed' : ''].filter(Boolean).join(' ') || undefined} title={clock(w.at_ms)} onClick={() => onGo(w.at_ms)}><Quoted text={w.text} /></Tag></bdi>
            })}
          </p>
        )
      })}
    </div>
  )
}

/** usePlayer fetches the sound when it is first played, as it is read for the record. */
function usePlayer(ref: RefObject<HTMLAudioElement | null>, path: string) {
  const t = useText()
  const fetched = useRef<AbortController>(null)
  const wanted = useRef({ play: false, at: 0 })
  const [src, setSrc] = useState('')
  const [fetching, setFetching] = useState(false)
  const [fault, setFault] = useState('')
  const [playing, setPlaying] = useState(false)
  const [muted, setMuted] = useState(true)
  const [speed, setSpeed] = useState(1)
  const [at, setAt] = useState(0)
  const [length, setLength] = useState(0)
  const [peaks, setPeaks] = useState<readonly number[]>([])

  // Another sound: what was fetched of the last one goes.
  useEffect(() => () => {
    fetched.current?.abort()
    fetched.current = null
    wanted.current = { play: false, at: 0 }
    setSrc((old) => { if (old) URL.revokeObjectURL(old); return '' })
    setFetching(false); setFault(''); setPlaying(false); setAt(0); setLength(0); setPeaks([])
  }, [path])

  useEffect(() => {
    const a = ref.current
    if (!a) return
    const tell = () => { setPlaying(!a.paused); if (a.src) setAt(a.currentTime * 1000) }
    const ready = () => {
      setLength(Number.isFinite(a.duration) ? a.duration * 1000 : 0)
      a.currentTime = wanted.current.at / 1000
      if (wanted.current.play) void a.play().catch(() => undefined)
    }
    const broken = () => { if (a.getAttribute('src')) setFault(t('clip.unplayable')) }
    const events: [string, () => void][] = [['play', tell], ['pause', tell], ['ended', tell], ['timeupdate', tell], ['seeked', tell], ['loadedmetadata', ready], ['error', broken]]
    for (const [name, f] of events) a.addEventListener(name, f)
    return () => { for (const [name, f] of events) a.removeEventListener(name, f) }
  }, [t, ref])

  useEffect(() => { if (ref.current) { ref.current.muted = muted; ref.current.playbackRate = speed } }, [muted, speed, src, ref])

  const load = () => {
    if (fetched.current) return
    const mine = new AbortController()
    fetched.current = mine
    setFault(''); setFetching(true)
    requestBlob(path, mine.signal).then(
      (b) => {
        if (mine.signal.aborted) return
        setSrc(URL.createObjectURL(b))
        setFetching(false)
        peaksOf(b).then((p) => { if (!mine.signal.aborted) setPeaks(p) }, () => undefined) // it plays without them too
      },
      (err: unknown) => { if (!mine.signal.aborted) { fetched.current = null; setFetching(false); setFault(explain(err)) } },
    )
  }
  useEffect(() => { if (src) ref.current?.load() }, [src, ref])

  const toggle = () => {
    const a = ref.current
    if (!a) return
    if (!src) { wanted.current.play = true; load(); return }
    if (a.paused) void a.play().catch(() => undefined)
    else a.pause()
  }
  const go = (ms: number) => {
    const to = Math.max(0, ms)
    wanted.current.at = to
    setAt(to)
    if (src && ref.current) ref.current.currentTime = to / 1000
  }
  return { src, fetching, fault, playing, muted, setMuted, speed, setSpeed, at, length, peaks, toggle, go }
}
