// Whom the product ties to a player, each with all reasons: what cases of ban evasion
// rest on, devices and addresses that are shared, and what went for no fair return.
import type { components } from '../../lib/api.gen'

type Schemas = components['schemas']
type Web = Schemas['TransferWeb']

export type Reason =
  | { kind: 'evasion'; by: 'device' | 'address' | 'voice'; case_id: string; at: string }
  | { kind: 'device' | 'address'; accounts: number; at: string }
  | { kind: 'gave' | 'got'; days: number; times: number; at: string }
export interface Linked { player: string; banned?: Schemas['BanType'] | undefined; reasons: Reason[] }

interface Evasion { case_id: string; player: string; by: 'device' | 'address' | 'voice'; at: string }

/** How many of those who gave or got the most are said; the economy's picture has all. */
const giftsAtMost = 5
/** From how many days of an ordinary income a gift says something. */
const giftFrom = 0.5

/** Those under a ban first, then those with most reasons. */
export function linksOf(web: Web | undefined, evasions: readonly Evasion[]): Linked[] {
  const all = new Map<string, Linked>()
  const note = (player: string, reason: Reason, banned?: Linked['banned']) => {
    const l = all.get(player) ?? { player, reasons: [] }
    all.set(player, { player, banned: l.banned ?? banned, reasons: [...l.reasons, reason] })
  }
  const bans = new Map(web?.players.map((p) => [p.player_id, p.banned]))
  for (const e of evasions) note(e.player, { kind: 'evasion', by: e.by, case_id: e.case_id, at: e.at }, bans.get(e.player))
  for (const s of web?.shares ?? []) note(s.player_id, { kind: s.by, accounts: s.accounts, at: s.last_seen_at }, s.banned)
  const me = web?.player_id
  const gifts = (web?.gifts ?? []).filter((g) => (g.from === me || g.to === me) && g.from !== g.to && g.free >= giftFrom).sort((a, b) => b.free - a.free)
  for (const g of gifts.slice(0, giftsAtMost)) {
    const other = g.from === me ? g.to : g.from
    note(other, { kind: g.from === me ? 'got' : 'gave', days: g.free, times: g.times, at: g.last_at }, bans.get(other))
  }
  return [...all.values()].sort((a, b) => Number(Boolean(b.banned)) - Number(Boolean(a.banned)) || b.reasons.length - a.reasons.length || a.player.localeCompare(b.player))
}
