import { describe, expect, it } from 'vitest'
import go from '../../internal/casework/step.go?raw'
import { bulkActs, mayDo } from '../src/console/queues/bulkacts'

const acts = (c: { state: string; assignee?: string }, role: string) => bulkActs.filter((a) => mayDo(a, c as never, { name: 'mia', role: role as never }))

describe('what can be done with several cases', () => {
  it('is to give back, hand over and escalate what is one’s own', () => expect(acts({ state: 'claimed', assignee: 'mia' }, 'moderator')).toEqual(['release', 'handover', 'escalate']))
  it('is to escalate alone what nobody has', () => expect(acts({ state: 'open' }, 'senior')).toEqual(['escalate']))
  it('is nothing where another has it, unless one stands in for the owner', () => {
    expect(acts({ state: 'claimed', assignee: 'sue' }, 'moderator')).toEqual([])
    expect(acts({ state: 'claimed', assignee: 'sue' }, 'senior')).toEqual(['release', 'handover'])
  })
  it('is nothing with what is closed, nor for who only reads', () => {
    expect(acts({ state: 'closed', assignee: 'mia' }, 'admin')).toEqual([])
    expect(acts({ state: 'open' }, 'viewer')).toEqual([])
  })
  it('rests on rules that the gateway still has', () => {
    expect(go).toMatch(/if s\.c\.Assignee == "" \{\s+return refuse\("nobody has the case/)
    expect(go).toContain('if !s.mine() && !s.m.By.Senior() {')
    expect(go).toMatch(/func \(s \*step\) escalate\(\) error \{\s+if err := s\.reach\(\)/)
  })
})
