import type { Answer } from '../../lib/http'
import { can } from '../../lib/roles'
import type { Moderator } from '../../lib/wire'

type Case = Pick<Answer<'get', '/cases'>['cases'][number], 'state' | 'assignee'>
export const bulkActs = ['release', 'handover', 'escalate'] as const
export type BulkAct = (typeof bulkActs)[number]

/** Whether the gateway would let somebody do it, as internal/casework decides it: what would be refused is not offered. */
export function mayDo(act: BulkAct, c: Case, me: Pick<Moderator, 'name' | 'role'>): boolean {
  if (c.state === 'closed' || !can(me.role, 'cases.decide')) return false
  const mine = c.assignee === me.name
  // Given back or handed over is what somebody has: one's own, or another's by who stands in for the owner.
  if (act !== 'escalate') return Boolean(c.assignee) && (mine || can(me.role, 'cases.reverse'))
  return !c.assignee || mine
}
