/** So many days before this hour began. A whole hour keeps a question, and so its answer, the same for a while. */
export const sinceDays = (days: number): string => new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - days * 86_400_000).toISOString()

/** Whether a moment has passed. */
export const isPast = (at: string): boolean => +new Date(at) < Date.now()

/** Every step of a period up to now, so that one in which nothing happened shows as nothing. */
export function timesOf(from: string, step: 'hour' | 'day', now = Date.now()): string[] {
  const size = step === 'day' ? 86_400_000 : 3_600_000
  const out: string[] = []
  for (let at = Math.floor(+new Date(from) / size) * size; at <= now; at += size) out.push(new Date(at).toISOString())
  return out
}
