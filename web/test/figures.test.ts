import { expect, it } from 'vitest'
import go from '../../internal/report/words.go?raw'
import en from '../src/i18n/figures/en.json'
import ja from '../src/i18n/figures/ja.json'
import ko from '../src/i18n/figures/ko.json'
import zh from '../src/i18n/figures/zh-Hans.json'

// The preview and the page for print say the same of the same figure.
it('has the names of figures that the report’s own page has', () => {
  const rows = [...go.matchAll(/^\s"([a-z0-9_]+)":\s+\{"((?:[^"\\]|\\.)*)", "((?:[^"\\]|\\.)*)", "((?:[^"\\]|\\.)*)", "((?:[^"\\]|\\.)*)"\}/gm)]
  expect(rows.length).toBeGreaterThan(100)
  const column = (i: number) => Object.fromEntries(rows.map((r) => [r[1], JSON.parse(`"${r[i]}"`)]))
  expect(en).toEqual(column(2))
  expect(ja).toEqual(column(3))
  expect(zh).toEqual(column(4))
  expect(ko).toEqual(column(5))
})
