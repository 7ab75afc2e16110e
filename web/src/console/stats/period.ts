// The period of the figures and its form in the URL: `#/stats?days=7`.
export const spans = [1, 7, 30, 90] as const

export interface Period { days: number; from: string; to: string; step: 'hour' | 'day'; /** Where the period of the same length before begins. */ before: string }

const hour = 3_600_000

/** The last so many days to the hour that runs, so that a period is the same while it is looked at. */
export function periodOf(days: number, now: number): Period {
  const known = spans.find((s) => s === days) ?? 7
  const to = Math.ceil(now / hour) * hour
  return { days: known, from: new Date(to - known * 24 * hour).toISOString(), to: new Date(to).toISOString(), before: new Date(to - 2 * known * 24 * hour).toISOString(), step: known <= 7 ? 'hour' : 'day' }
}

export type Row = Record<string, string | number | null>

/** A column of numbers; what there are no figures of is null. */
export const column = (rows: readonly Row[], name: string): (number | null)[] => rows.map((r) => (typeof r[name] === 'number' ? (r[name] as number) : null))

/** A number of a row, or null. */
export const value = (r: Row | undefined, name: string): number | null => (r && typeof r[name] === 'number' ? (r[name] as number) : null)

/** The change from one period to the next as a share; null where there was nothing before. */
export const change = (now: number | null, before: number | null): number | null => (now === null || !before ? null : now / before - 1)

/** A row with that of the period before beside it, as `previous_…`. */
export const beside = (now: Row | undefined, before: Row | undefined): Row => ({ ...now, ...Object.fromEntries(Object.entries(before ?? {}).map(([k, v]) => [`previous_${k}`, v])) })
