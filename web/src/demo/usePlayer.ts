import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { api, streamURL } from '../lib/api'
import type { LinkState } from '../lib/link'
import { PlayerClient } from '../lib/player'
import { Talk, type TalkState } from '../lib/talk'
import type { Scene } from '../lib/wire'
import { dayTime } from '../lib/words'
import { next, type Entry, type Happening } from './thread'

export interface Player {
  link: LinkState
  entries: readonly Entry[]
  say: (text: string, lang?: string) => boolean
  retry: () => void
  talk: TalkState
  /** Begins a call with the microphone, or ends it. */
  toggleTalk: () => void
}

/** One player of the demo, connected for as long as the component stands. */
export function usePlayer(name: string, scene: string | undefined, onScenes: (s: Scene[]) => void): Player {
  const [link, setLink] = useState<LinkState>({ phase: 'idle' })
  const [entries, happen] = useReducer(next as (e: readonly Entry[], h: Happening) => readonly Entry[], [])
  const [talk, setTalk] = useState<TalkState>({ phase: 'off' })
  const client = useRef<PlayerClient | null>(null)
  const call = useRef<Talk | null>(null)
  const here = useRef(scene ?? '')
  useEffect(() => { here.current = scene ?? '' }, [scene])

  useEffect(() => {
    const c = new PlayerClient({
      url: streamURL,
      ticket: async () => {
        const s = await api.demoSession(name)
        onScenes(s.scenes)
        return s.ticket
      },
    }, {
      onState: (s) => {
        setLink(s)
        if (s.phase === 'stopped') talking.stop('The connection was closed.')
      },
      onVerdict: (v) => happen({ what: 'verdict', v }),
      onMessage: (m) => happen({ what: 'message', m }),
      onRetract: (r) => happen({ what: 'retract', r }),
      onNotice: (n) => happen({ what: 'notice', n, scene: here.current }),
      onRefused: (id, code, message) => happen({ what: 'refused', id, code, message, scene: here.current }),
      onVoice: (v) => happen({ what: 'spoke', v }),
      onVoiceMute: (m) => talking.stop(m.until ? `Your voice is muted until ${dayTime(m.until)}.` : 'Your voice is muted.'),
      onReset: () => {
        talking.stop('The connection was lost, and the call with it.')
        happen({ what: 'reset', scene: here.current, at: Date.now() })
      },
    })
    const talking = new Talk({ offer: (sdp) => c.call(sdp), hangUp: () => c.hangUp(), onState: setTalk })
    client.current = c
    call.current = talking
    c.start()
    return () => { talking.stop(); c.stop(); client.current = null; call.current = null }
  }, [name, onScenes])

  useEffect(() => {
    if (!scene) return
    call.current?.stop() // it is of the scene that is left
    client.current?.enter(scene)
  }, [scene])

  const say = useCallback((text: string, lang?: string) => {
    const id = client.current?.say(text, lang)
    if (!id) return false
    happen({ what: 'said', id, scene: here.current, text, lang })
    return true
  }, [])
  const retry = useCallback(() => client.current?.retryNow(), [])
  const toggleTalk = useCallback(() => call.current?.toggle(), [])
  return { link, entries, say, retry, talk, toggleTalk }
}
