import { IntlMessageFormat } from 'intl-messageformat'
import { describe, expect, it } from 'vitest'
import keys from '../src/i18n/keys.ts?raw'
import { bestLanguage, languages } from '../src/i18n/text'

const files = import.meta.glob<Record<string, string>>('../src/i18n/*/*.json', { eager: true, import: 'default' })
const areas = [...new Set(Object.keys(files).map((f) => f.split('/').at(-2) as string))]
const read = (area: string, language: string) => files[`../src/i18n/${area}/${language}.json`] ?? {}

type Node = { type: number; value?: string; options?: Record<string, { value: Node[] }>; children?: Node[] }
/** The names that a message needs: arguments, numbers, selects, elements. Element 7 is `#`, 0 is text. */
function names(nodes: Node[], out = new Set<string>()): Set<string> {
  for (const n of nodes) {
    if (n.type !== 0 && n.type !== 7) out.add(`${n.type === 8 ? '<>' : ''}${n.value}`)
    for (const o of Object.values(n.options ?? {})) names(o.value, out)
    if (n.children) names(n.children, out)
  }
  return out
}
/** The plural words that a message knows, but for those of single numbers ("=1"). */
function plurals(nodes: Node[], out = new Set<string>()): Set<string> {
  for (const n of nodes) {
    for (const [word, o] of Object.entries(n.options ?? {})) { if (n.type === 6 && !word.startsWith('=')) out.add(word); plurals(o.value, out) }
    if (n.children) plurals(n.children, out)
  }
  return out
}
const needs = (message: string, language: string) => [...names(new IntlMessageFormat(message, language).getAst() as unknown as Node[])].sort()

describe.each(areas)('the texts of %s', (area) => {
  const source = read(area, 'en')
  it('are known to the compiler', () => {
    expect(keys).toContain(`'./${area}/en.json'`)
  })
  it.each(languages)('have every key and placeholder in %s', (language) => {
    const said = read(area, language)
    expect(Object.keys(said).sort()).toEqual(Object.keys(source).sort())
    for (const [key, message] of Object.entries(said)) {
      expect(message.trim(), `${area}.${key} in ${language}`).not.toBe('')
      expect({ key, needs: needs(message, language) }).toEqual({ key, needs: needs(source[key] as string, 'en') })
    }
  })
  it.each(languages)('name no plural in %s that it has not: its text would never be said', (language) => {
    const has = new Intl.PluralRules(language).resolvedOptions().pluralCategories as string[]
    for (const [key, message] of Object.entries(read(area, language))) {
      const dead = [...plurals(new IntlMessageFormat(message, language).getAst() as unknown as Node[])].filter((w) => !has.includes(w))
      expect({ key, dead }).toEqual({ key, dead: [] })
    }
  })
  it.each(languages.filter((l) => l !== 'en'))('are translated into %s', (language) => {
    const said = read(area, language)
    const sentences = Object.entries(source).filter(([, m]) => m.split(/\s+/).length > 3)
    const same = sentences.filter(([key, m]) => said[key] === m).map(([key]) => `${area}.${key}`)
    expect(same).toEqual([])
  })
})

describe('the language', () => {
  it.each([
    [['zh-TW'], 'zh-Hant'], [['zh-HK'], 'zh-Hant'], [['zh-CN'], 'zh-Hans'], [['zh'], 'zh-Hans'], [['ja-JP', 'en'], 'ja'], [['fr', 'ko-KR'], 'ko'], [['fr'], 'en'], [[], 'en'],
  ])('for %j is %s', (wanted, want) => { expect(bestLanguage(wanted)).toBe(want) })
})
