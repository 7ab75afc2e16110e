import { expect, it } from 'vitest'
import { partName } from '../src/console/StatusStrip'
import { hasText, languages, speak } from '../src/i18n/text'

const go = Object.values(import.meta.glob<string>('../../cmd/portcullis/*.go', { eager: true, query: '?raw', import: 'default' })).join('\n')

it.each(languages)('every part of a gateway has a name in %s', async (language) => {
  await speak(language)
  const names = [...new Set([...go.matchAll(/\{Name: "([a-z]+)", State/g)].map((m) => m[1] as string))].filter((n) => !['redis', 'stream'].includes(n))
  expect(names).toContain('voice')
  expect(names).toContain('models')
  for (const name of names) expect({ name, named: hasText(`shell.part_${name}`), differs: language === 'en' || partName({ name, state: 'ok' } as never) !== name }).toEqual({ name, named: true, differs: true })
  await speak('en')
})
