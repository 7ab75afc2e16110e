import { describe, expect, it } from 'vitest'
import { linksOf } from '../src/console/player/links'

const at = '2026-11-01T00:00:00Z'
const knot = (player_id: string, hops: number, banned?: 'permanent') => ({ player_id, hops, risk_score: 0, risk_level: 'normal' as const, risk_factors: [], ...(banned ? { banned } : {}) })
const gift = (from: string, to: string, free: number) => ({ from, to, gave: free + 1, free, times: 3, first_at: at, last_at: at })

describe('links of a player', () => {
  const web = {
    player_id: 'me', at, left_out: 0,
    players: [knot('me', 0), knot('mule', 1), knot('king', 1, 'permanent'), knot('friend', 1)],
    gifts: [gift('me', 'mule', 12), gift('king', 'me', 4), gift('friend', 'me', 0.1), gift('mule', 'king', 30)],
    shares: [{ player_id: 'mule', by: 'device' as const, accounts: 2, first_seen_at: at, last_seen_at: at }, { player_id: 'sister', by: 'address' as const, accounts: 3, first_seen_at: at, last_seen_at: at }],
  }
  it('says each account once, with all reasons, the banned first', () => {
    const links = linksOf(web, [{ case_id: 'c1', player: 'king', by: 'device', at }])
    expect(links.map((l) => [l.player, l.reasons.map((r) => r.kind)])).toEqual([
      ['king', ['evasion', 'gave']], ['mule', ['device', 'got']], ['sister', ['address']],
    ])
    expect(links[0]?.banned).toBe('permanent')
  })
  it('leaves out fair deals, and gifts between others', () => {
    expect(linksOf({ ...web, shares: [] }, []).map((l) => l.player)).toEqual(['king', 'mule'])
  })
  it('knows nobody where the economy has nothing', () => {
    expect(linksOf(undefined, [])).toEqual([])
  })
})
