import { ago, dayTime, fullTime } from '../lib/words'

/** Time is a moment, short in the text and whole on hovering; `rel` says how long ago. */
export function Time({ at, rel, full }: { at: string; rel?: boolean; full?: boolean }) {
  return <time dateTime={at} title={fullTime(at)}>{rel ? ago(at) : full ? fullTime(at) : dayTime(at)}</time>
}
