// What one player has on the screen. A pure function from what happened to what
// is shown, so that it can be tested without a connection.
import type { Category, MessageFrame, NoticeFrame, RetractFrame, Suggestion, VerdictFrame, VoiceVerdict } from '../lib/wire'

export type Fate = 'sending' | 'checking' | 'delivered' | 'masked' | 'held' | 'blocked' | 'taken back' | 'approved' | 'rejected' | 'refused'

export interface Own {
  is: 'own'
  key: string
  scene: string
  text: string
  lang?: string | undefined
  fate: Fate
  requestId?: string
  /** The text as others see it, when masked. */
  published?: string | undefined
  categories: readonly Category[]
  ms?: number
  why?: string
}
export interface Other {
  is: 'other'
  key: string
  scene: string
  player: string
  text: string
  lang?: string | undefined
  at: string
  retracted: boolean
}
export interface Notice { is: 'notice'; key: string; scene: string; kind: NoticeFrame['kind'] | 'reset' | 'refused'; text: string }
/** Something was found in what was said aloud. */
export interface Spoken { is: 'spoken'; key: string; scene: string; at: number; suggestion: Suggestion; categories: readonly Category[]; ms: number }
export type Entry = Own | Other | Notice | Spoken

export type Happening =
  | { what: 'said'; id: string; scene: string; text: string; lang?: string | undefined }
  | { what: 'verdict'; v: VerdictFrame }
  | { what: 'message'; m: MessageFrame }
  | { what: 'retract'; r: RetractFrame }
  | { what: 'notice'; n: NoticeFrame; scene: string }
  | { what: 'spoke'; v: VoiceVerdict }
  | { what: 'refused'; id: string; code: number; message: string; scene: string }
  | { what: 'reset'; scene: string; at: number }

/** Entries kept; older ones go. */
export const kept = 200

export function fateOf(v: VerdictFrame, before?: Fate): Fate {
  if (v.pending) return 'checking'
  switch (v.action) {
    case 'mask': return 'masked'
    case 'hold': return 'held'
    // Dropped after it had been delivered: the deferred check took it back.
    case 'drop': return before === 'checking' || before === 'delivered' ? 'taken back' : 'blocked'
    default: return before === 'held' ? 'approved' : 'delivered'
  }
}

const refusals: Record<number, string> = {
  1003: 'Too fast. Wait a moment and say it again.',
  1004: 'Not permitted in this scene.',
  1005: 'The message is too long.',
  2002: 'The check is not available at the moment.',
}

export function next(entries: readonly Entry[], h: Happening): readonly Entry[] {
  const add = (e: Entry) => [...entries, e].slice(-kept)
  const change = (match: (o: Own) => boolean, f: (o: Own) => Own) => {
    const i = entries.findLastIndex((e) => e.is === 'own' && match(e))
    return i < 0 ? null : entries.with(i, f(entries[i] as Own))
  }
  switch (h.what) {
    case 'said':
      return add({ is: 'own', key: h.id, scene: h.scene, text: h.text, lang: h.lang, fate: 'sending', categories: [] })
    case 'verdict': {
      const { v } = h
      const mine = (o: Own) => (v.id ? o.key === v.id : o.requestId === v.request_id)
      return change(mine, (o) => ({
        ...o, fate: fateOf(v, o.fate), requestId: v.request_id, published: v.content, categories: v.categories ?? [], ms: v.latency_ms,
      })) ?? entries
    }
    case 'message':
      if (entries.some((e) => e.is === 'other' && e.key === h.m.message_id)) return entries
      return add({ is: 'other', key: h.m.message_id, scene: h.m.scene_id, player: h.m.player_id, text: h.m.content, lang: h.m.language, at: h.m.sent_at, retracted: false })
    case 'retract': {
      const own = change((o) => o.requestId === h.r.message_id, (o) => ({ ...o, fate: 'taken back' }))
      return own ?? entries.map((e) => (e.is === 'other' && e.key === h.r.message_id ? { ...e, retracted: true } : e))
    }
    case 'notice': {
      const { n } = h
      const note: Notice = { is: 'notice', key: `n${n.seq}`, scene: h.scene, kind: n.kind, text: n.text }
      if (n.kind !== 'approved' && n.kind !== 'rejected') return add(note)
      const fate = n.kind
      const held = entries.filter((e) => e.is === 'own' && e.fate === 'held')
      // Without the message's id it is known only where a single message waits.
      const is = (o: Own) => (n.request_id ? o.requestId === n.request_id : held.length === 1 && o === held[0])
      return [...(change(is, (o) => ({ ...o, fate })) ?? entries), note].slice(-kept)
    }
    case 'spoke':
      return add({ is: 'spoken', key: h.v.request_id, scene: h.v.scene_id, at: h.v.at_ms, suggestion: h.v.suggestion, categories: h.v.categories, ms: h.v.latency_ms })
    case 'refused':
      if (!h.id) return add({ is: 'notice', key: `r${entries.length}-${h.code}`, scene: h.scene, kind: 'refused', text: refusals[h.code] ?? h.message })
      return change((o) => o.key === h.id, (o) => ({ ...o, fate: 'refused', why: refusals[h.code] ?? h.message })) ?? entries
    case 'reset':
      return add({ is: 'notice', key: `reset${h.at}`, scene: h.scene, kind: 'reset', text: 'The connection could not be taken up again; messages in between may be missing.' })
  }
}
