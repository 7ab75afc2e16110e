import { describe, expect, it } from 'vitest'
import { settingWords, valueWords } from '../src/console/policies/naming'

const name = (pointer: string) => settingWords(pointer).join(' › ')

describe('settings', () => {
  it.each([
    ['/strictness', 'Strictness'],
    ['/categories/child_safety/action', 'Child safety › Action'],
    ['/categories/harassment/sub_labels/insult/strictness', 'Harassment › Insult › Strictness'],
    ['/categories/spam/reason', 'Spam › What players are told of it'],
    ['/acoustic/loud/momentary_lufs', 'Too loud › Loudness over 400 ms (LUFS)'],
    ['/trust/watched', 'Standing of players › Levels stricter for the watched'],
    ['/prohibited/bad~1word', 'Prohibited words › bad/word'],
    ['/history/half_life', 'What a player did before › Half life'],
    ['/comet/tail', 'Comet › Tail'],
    ['/weights/illegal~1child_safety', 'Weights › Illegal · Child safety'],
    ['/steps/5 mute_text/hours', 'Steps › 5 Chat mute › Hours'],
    ['/steps/2 trade_lock (spam, hate)', 'Steps › 2 Trade lock (Spam, Hate)'],
    ['/layers/segment~1minor/window_days', 'Segment: minor › Days for which a strike counts'],
    ['/layers/channel~1vip/steps/5 ban', 'Channel: vip › Steps › 5 Ban'],
  ])('%s is %s', (pointer, want) => expect(name(pointer)).toBe(want))
})

describe('values', () => {
  it('are said as the form says them', () => {
    expect(valueWords('/categories/spam/action', 'mask')).toBe('Mask')
    expect(valueWords('/categories/spam/enabled', false)).toBe('Off')
    expect(valueWords('/strictness', 5)).toBe('5 · strict')
    expect(valueWords('/mode', 'pre_review')).toBe('Pre-review')
    expect(valueWords('/fail_by_kind/image', 'closed')).toBe('keep it back')
    expect(valueWords('/start/illegal', 'mute_text')).toBe('Chat mute')
  })
  it('are left as they are written where it has no words', () => {
    expect(valueWords('/trust/recent', 3)).toBeUndefined()
    expect(valueWords('/description', 'block')).toBeUndefined()
    expect(valueWords('/mode', undefined)).toBeUndefined()
  })
})
