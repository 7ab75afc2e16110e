// The calls of the review queue, as the desk needs them.
import { newId } from '../../lib/id'
import type { components } from '../../lib/api.gen'
import { request } from '../../lib/api'
import { address, http } from '../../lib/http'

type Schemas = components['schemas']
export type Case = Schemas['Case']
export type CaseFile = Schemas['CaseFile']

/** What can be done with a case, besides deciding it. */
export type Motion = 'claim' | 'renew' | 'release' | 'handover' | 'hold' | 'escalate' | 'skip' | 'undo'

export interface Ruling {
  decision: 'approve' | 'reject' | 'uphold' | 'deny'
  policy: string
  reason: string
  category?: string
  severity?: number
  note?: string
  statement?: string
}

/** What the desk asks of the gateway; tests have their own. */
export interface Calls {
  mine: () => Promise<Case[]>
  next: (queue: string) => Promise<Case | null>
  file: (id: string) => Promise<CaseFile>
  move: (id: string, what: Motion, body: object, key?: string) => Promise<Case>
  decide: (id: string, r: Ruling & { version: number }, key: string) => Promise<Case>
}

const post = (id: string, what: string, body: object, key: string) =>
  request<Case>('POST', address(`/cases/{id}/${what}`, { id }), body, undefined, { 'Idempotency-Key': key })

export const calls: Calls = {
  mine: async () => (await http.get('/cases', { query: { state: 'claimed', assignee: 'me', limit: 5 } })).cases,
  next: async (queue) => (await http.post('/cases/next', { body: queue ? { queue } : {} })).case,
  file: (id) => http.get('/cases/{id}', { path: { id } }),
  move: (id, what, body, key = newId()) => post(id, what, body, key),
  decide: (id, r, key) => post(id, 'decide', r, key),
}

/** Gives a case back while the page goes away, when nothing can be waited for. */
export function releaseBeacon(id: string): void {
  const at = new URL(address('/cases/{id}/release', { id }), new URL('../api/v1/', document.baseURI))
  void fetch(at, { method: 'POST', credentials: 'same-origin', keepalive: true, headers: { 'Content-Type': 'application/json' }, body: '{}' }).catch(() => undefined)
}
