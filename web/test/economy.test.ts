import go from '../../economy/verdict.go?raw'
import { describe, expect, it } from 'vitest'
import { banText, caseText, isBan, isEconomyCase, levelFrom, levelOf, rowOfBan, rowOfEconomyCase } from '../src/lib/economy'
import type { BanEvent, EconomyCaseEvent } from '../src/lib/wire'
import { FeedStore } from '../src/console/feed/store'
import { event } from './events'

const ban = (change: Partial<BanEvent>): BanEvent => ({
  type: 'feed.event', kind: 'ban', event_id: 'b', at: '2026-01-02T03:04:05.000Z', app_id: 'app', player_id: 'ann', request_id: 'r', ban_id: 'b1',
  ban_type: 'temporary', state: 'created', until: '2026-01-03T03:04:05.000Z', reason: 'bot_farming', by: 'app/game', ...change,
})

describe('bans', () => {
  it('stand in the feed with their end and reason', () => {
    expect(isBan(ban({}))).toBe(true)
    expect(isBan(event({}))).toBe(false)
    const row = rowOfBan(ban({}))
    expect(row.other?.word).toBe('Banned')
    expect(row.other?.text).toMatch(/^Temporary ban until .*2026.*: bot_farming$/)
    expect(rowOfBan(ban({ state: 'lifted', lift_reason: 'appeal' })).other).toEqual({ word: 'Ban lifted', tone: 'pass', text: 'Temporary ban: appeal' })
    expect(banText(ban({ ban_type: 'permanent', until: null, reason: '' }))).toBe('Permanent ban')
    expect(rowOfBan(ban({ state: 'expired' })).other?.word).toBe('Ban ended')
  })
})

describe('cases of the economy', () => {
  const alert = { risk_score: 81, found_at: '2026-01-02T03:04:05.000Z', risk_factors: [{ factor: 'fan_in', score: 60 }] }
  it('say what was found', () => {
    expect(caseText({})).toBeUndefined()
    expect(caseText({ kind: 'risk', economy: alert })).toMatchObject({ text: 'Economy risk 81 of 100', factors: ['fan_in'] })
    const at = '2026-01-01T00:00:00.000Z'
    const link = {
      factor: 'banned_link' as const, banned_player_id: 'eve', ban_id: 'b', by: 'device' as const, banned_at: at, accounts: 2,
      banned_last_seen_at: at, first_seen_at: at, last_seen_at: at, account_since: at,
    }
    expect(caseText({ kind: 'ban_evasion', economy: { ...alert, link } })?.text).toContain('Uses a device of eve')
  })
  it('say when their risk has fallen, and stand in the feed', () => {
    const now = { risk_score: 41, risk_level: 'attention' as const, at: '2026-01-09T03:04:05.000Z', fallen: true }
    expect(caseText({ kind: 'risk', economy: { ...alert, now } })?.text).toMatch(/^Economy risk 81 of 100; fell to 41 by .*2026/)
    const e: EconomyCaseEvent = {
      ...alert, type: 'feed.event', kind: 'case', event_id: 'e', at: alert.found_at, app_id: 'app', player_id: 'ann', request_id: '', case_id: 'c', case_version: 1,
      case_kind: 'risk', state: 'open', change: 'opened',
    }
    expect(isEconomyCase(e)).toBe(true)
    expect(rowOfEconomyCase(e).other).toEqual({ word: 'High risk', tone: 'review', text: 'Economy risk 81 of 100', factors: ['fan_in'] })
    expect(rowOfEconomyCase({ ...e, now, change: 'fell' }).other?.word).toBe('Risk fell')
    expect(rowOfEconomyCase({ ...e, now, change: 'fell', state: 'closed' }).other?.word).toBe('Risk fell, case closed')
    expect(rowOfEconomyCase({ ...e, now: { ...now, fallen: false }, change: 'rose' }).other).toMatchObject({ word: 'Risk rose again', tone: 'review' })
  })
  it('fill the feed as rows that are no verdict', () => {
    const store = new FeedStore({ frame: (f) => f(), now: () => 0 })
    store.seed([{ case_id: 'c', app_id: 'app', request_id: 'r', check_id: 'r', player_id: 'ann', state: 'open', held: false, version: 1, created_at: '2026-01-01T00:00:00.000Z', kind: 'risk', economy: alert }])
    const row = store.get().rows[0]
    expect(row?.other?.word).toBe('High risk')
    expect(row?.partial).toBe(false)
    expect(row?.case_id).toBe('c')
  })
})

describe('levels', () => {
  it('begin at the scores at which the gateway lets them begin', () => {
    const at = go.slice(go.indexOf('func LevelOf'))
    const want = [...at.slice(0, at.indexOf('\n}')).matchAll(/case score >= (\d+):\s+return (\w+)/g)].map((m) => [(m[2] as string).toLowerCase(), Number(m[1])])
    expect(want.length).toBe(4)
    expect(levelFrom).toEqual([...want, ['normal', 0]])
    expect([100, 90, 89, 30, 29, 0].map(levelOf)).toEqual(['critical', 'critical', 'high', 'attention', 'normal', 'normal'])
  })
})
