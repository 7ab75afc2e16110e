import { useState } from 'react'
import { ApiError } from '../../lib/api'
import { differences, type Body, type Change, type Fault } from '../../lib/layer'

export interface Draft {
  body: Body
  /** The version that it was made from. */
  base: number
  changes: Change[]
  faults: readonly Fault[]
  /** Somebody stored another version meanwhile. */
  conflict: boolean
  set: (body: Body) => void
  reset: () => void
  /** Goes on from another version with what was written here. */
  rebase: (version: number) => void
  /** Takes down what a refused change said, and tells whether that stands in the form now. */
  refused: (err: unknown, strip?: (f: readonly Fault[]) => Fault[]) => boolean
}

/** useDraft keeps what is written over a stored version, and what was said against it. Differences are of what told makes of a body. */
export function useDraft(stored: Body, version: number, told = (b: Body) => b): Draft {
  const [own, setOwn] = useState<{ body: Body; base: number } | null>(null)
  const [faults, setFaults] = useState<readonly Fault[]>([])
  const [conflict, setConflict] = useState(false)
  const body = own?.body ?? stored
  return {
    body, base: own?.base ?? version, changes: differences(told(stored), told(body)), faults, conflict,
    set: (next) => setOwn({ body: next, base: own?.base ?? version }),
    reset: () => { setOwn(null); setFaults([]); setConflict(false) },
    rebase: (v) => { setOwn({ body, base: v }); setConflict(false) },
    refused: (err, strip = (f) => [...f]) => {
      const code = err instanceof ApiError ? err.code : 0
      setFaults(err instanceof ApiError && code === 1001 ? strip(err.errors) : [])
      setConflict(code === 1007)
      return code === 1001 || code === 1007
    },
  }
}
