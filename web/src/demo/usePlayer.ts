import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { api, streamURL } from '../lib/api'
import type { LinkState } from '../lib/link'
import { PlayerClient } from '../lib/player'
import type { Scene } from '../lib/wire'
import { next, type Entry, type Happening } from './thread'

export interface Player {
  link: LinkState
  entries: readonly Entry[]
  say: (text: string, lang?: string) => boolean
  retry: () => void
}

/** One player of the demo, connected for as long as the component stands. */
export function usePlayer(name: string, scene: string | undefined, onScenes: (s: Scene[]) => void): Player {
  const [link, setLink] = useState<LinkState>({ phase: 'idle' })
  const [entries, happen] = useReducer(next as (e: readonly Entry[], h: Happening) => readonly Entry[], [])
  const client = useRef<PlayerClient | null>(null)
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
      onState: setLink,
      onVerdict: (v) => happen({ what: 'verdict', v }),
      onMessage: (m) => happen({ what: 'message', m }),
      onRetract: (r) => happen({ what: 'retract', r }),
      onNotice: (n) => happen({ what: 'notice', n, scene: here.current }),
      onRefused: (id, code, message) => happen({ what: 'refused', id, code, message, scene: here.current }),
      onReset: () => happen({ what: 'reset', scene: here.current, at: Date.now() }),
    })
    client.current = c
    c.start()
    return () => { c.stop(); client.current = null }
  }, [name, onScenes])

  useEffect(() => { if (scene) client.current?.enter(scene) }, [scene])

  const say = useCallback((text: string, lang?: string) => {
    const id = client.current?.say(text, lang)
    if (!id) return false
    happen({ what: 'said', id, scene: here.current, text, lang })
    return true
  }, [])
  const retry = useCallback(() => client.current?.retryNow(), [])
  return { link, entries, say, retry }
}
