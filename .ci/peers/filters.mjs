// Asks the filters from npm about every row: one JSON line a filter.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { performance } from 'node:perf_hooks'

const require = createRequire(import.meta.url)
const { checkProfanity } = require('glin-profanity')
const leo = require('leo-profanity')
const obscenity = require('obscenity')
const versions = JSON.parse(readFileSync(new URL('./package.json', import.meta.url))).dependencies

const matcher = new obscenity.RegExpMatcher({
  ...obscenity.englishDataset.build(),
  ...obscenity.englishRecommendedTransformers,
})
const english = { languages: ['english'] }
const everything = { allLanguages: true, detectLeetspeak: true, normalizeUnicode: true }
const filters = [
  ['obscenity', '', (text) => matcher.hasMatch(text)],
  ['glin-profanity', 'English', (text) => checkProfanity(text, english).containsProfanity],
  ['glin-profanity', 'all languages, leet', (text) => checkProfanity(text, everything).containsProfanity],
  ['leo-profanity', '', (text) => leo.check(text)],
]

const rows = readFileSync(process.argv[2], 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line))
for (const [peer, setting, flags] of filters) {
  for (const row of rows.slice(0, 500)) flags(row.text)
  const suites = {}
  let spent = 0
  let failed = 0
  for (const row of rows) {
    let flagged = false
    const began = performance.now()
    try {
      flagged = flags(row.text)
    } catch {
      failed++
    }
    spent += performance.now() - began
    const counts = (suites[row.source] ??= { tp: 0, fp: 0, fn: 0, tn: 0 })
    counts[row.toxic ? (flagged ? 'tp' : 'fn') : flagged ? 'fp' : 'tn']++
  }
  const us = (spent * 1000) / rows.length
  console.log(JSON.stringify({ peer, setting, version: versions[peer], us, failed, suites }))
}
