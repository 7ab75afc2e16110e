import { expect, it } from 'vitest'
import api from '../api/openapi.yaml?raw'
import { fields, flags, known, told, usual, words } from '../src/console/policies/settings'
import { hasText, speak } from '../src/i18n/text'

/** The settings of a layer as the API has them, those of one level below told one by one where it names them; with their types. */
function settings(): Map<string, string> {
  const from = api.indexOf('\n    PolicySettings:\n')
  const lines = api.slice(from, api.slice(from + 5).search(/\n    \w+:\n/) + from + 5).split('\n')
  const all = new Map<string, string>()
  let above = ''
  for (const line of lines) {
    const top = /^        (\w+):(.*)/.exec(line)
    const below = /^            (\w+): \{ type: (\w+)/.exec(line)
    if (top) { above = `/${top[1]}`; all.set(above, /type: (\w+)/.exec(top[2] ?? '')?.[1] ?? '') }
    if (below) { all.delete(above); all.set(`${above}/${below[1]}`, below[2] as string) }
  }
  return all
}

it('offers every setting that a layer can have, as what it is, and tells its faults beside it', async () => {
  await speak('en')
  const all = settings()
  expect(all.get('/banned_voices/link')).toBe('boolean')
  expect(all.size).toBeGreaterThan(20)
  for (const [p, type] of all) {
    const root = p.slice(0, p.indexOf('/', 1) < 0 ? undefined : p.indexOf('/', 1))
    const offered = fields.includes(root) || known.some((k) => k === p || (all.has(root) && k.startsWith(`${root}/`)))
    expect({ p, offered }).toEqual({ p, offered: true })
    if (root !== '/segments') expect(told).toContain(root)
    if (!known.includes(p)) continue
    expect({ p, flag: flags.includes(p), words: words.includes(p) }).toEqual({ p, flag: type === 'boolean', words: type === 'string' })
    expect({ p, named: hasText(`policies.set${p.replaceAll('/', '_')}`) }).toEqual({ p, named: true })
  }
})

it('says what holds where no layer says it as the API does', () => {
  const from = api.slice(api.indexOf('\n        banned_voices:\n'))
  for (const key of ['days', 'remember_minutes']) expect(usual[`/banned_voices/${key}`]).toBe(new RegExp(`${key}: .*default: (\\d+)`).exec(from)?.[1])
  expect(usual['/banned_voices/similarity']).toBe(/similarity: .*; ([\d.]+) unless given/.exec(from)?.[1])
})
