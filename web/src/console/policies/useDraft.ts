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
  /** Takes down what a refused change said; what it is not about is thrown on. */
  refused: (err: unknown, strip?: (f: readonly Fault[]) => Fault[]) => void
}

/** useDraft keeps what is written over a stored version, and what was said against it. */
export function useDraft(stored: Body, version: number): Draft {
  const [own, setOwn] = useState<{ body: Body; base: number } | null>(null)
  const [faults, setFaults] = useState<readonly Fault[]>([])
  const [conflict, setConflict] = useState(false)
  const body = own?.body ?? stored
  return {
    body, base: own?.base ?? version, changes: differences(stored, body), faults, conflict,
    set: (next) => setOwn({ body: next, base: own?.base ?? version }),
    reset: () => { setOwn(null); setFaults([]); setConflict(false) },
    rebase: (v) => { setOwn({ body, base: v }); setConflict(false) },
    refused: (err, strip = (f) => [...f]) => {
      setFaults(err instanceof ApiError && err.code === 1001 ? strip(err.errors) : [])
      setConflict(err instanceof ApiError && err.code === 1007)
    },
  }
}
