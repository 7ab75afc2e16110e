import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Economy } from '../src/console/review/About'
import type { CaseFile } from '../src/console/review/calls'
import { templates } from '../src/console/review/templates'
import { languages, speak, text } from '../src/i18n/text'
import { caseText } from '../src/lib/economy'
import { settle, Wrap } from './wrap'

// What ties a player to another is said as what it is, wherever it is said: a voice is no
// address, and is like another, not the same.
const ties = ['device', 'address', 'voice'] as const
const at = '2026-01-01T00:00:00.000Z'
const file = (by: (typeof ties)[number]) => ({
  case_id: 'c', app_id: 'game', player_id: 'ann', kind: 'ban_evasion',
  economy: {
    risk_score: 0, risk_factors: [], found_at: at,
    link: {
      factor: 'banned_link', banned_player_id: 'eve', ban_id: 'b', by, banned_at: at, accounts: 2, banned_last_seen_at: at, first_seen_at: at, last_seen_at: at, account_since: at,
      ...(by === 'voice' ? { voice: { similarity: 0.9712, threshold: 0.93, spoken_ms: 12_400 } } : {}),
    },
  },
}) as unknown as CaseFile

let root: Root
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('fetch', async () => new Response('{"code":0,"codes":[]}'))
  const host = document.createElement('div')
  document.body.replaceChildren(host)
  root = createRoot(host)
})
afterEach(async () => {
  await act(async () => root.unmount())
  await speak('en')
  vi.unstubAllGlobals()
})

async function shown(by: (typeof ties)[number]) {
  await act(async () => root.render(<Wrap><Economy file={file(by)} /></Wrap>))
  await settle()
  return document.body.textContent ?? ''
}

it.each(languages)('each tie has words of its own in %s', async (language) => {
  await speak(language)
  const said = [
    ties.map((by) => caseText(file(by))?.text),
    ties.map((by) => text('player.link_evasion', { by })),
    ties.map((by) => text(`economy.link_${by}`)),
    [await shown('device'), await shown('address'), await shown('voice')],
  ]
  for (const three of said) expect(new Set(three).size, String(three)).toBe(3)
})

it('a voice says how alike, of how much, and no risk, which nobody has worked out', async () => {
  await speak('en')
  expect(await shown('device')).toMatch(/Risk 0 of 100.*Uses a device of a banned player.*eve/)
  const said = await shown('voice')
  expect(said).toMatch(/a voice like that of a player under a penalty.*no proof.*eve.*0\.97.*0\.93.*12 seconds/)
  expect(said).not.toContain('Risk')
})

it('the reasons to choose from are those of the tie', () => {
  for (const side of ['approve', 'reject'] as const) {
    expect(templates(file('device'), side)).toEqual(templates({ kind: 'ban_evasion' }, side))
    expect(templates(file('voice'), side).filter((k) => templates({ kind: 'ban_evasion' }, side).includes(k))).toEqual([])
  }
})
