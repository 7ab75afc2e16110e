import type { Answer } from '../../lib/http'
import { hasText, text, useText } from '../../i18n/text'
import { fineShare, fullTime, number, plain } from '../../lib/words'
import { Table } from '../../ui/Table'

export type Report = Extract<Answer<'get', '/reports/operations'>, { sections: unknown }>
type Row = Record<string, string | number | null>

const shares = /share|change|precision|rate|agreement|within|ratio_of/
const moment = /^\d{4}-\d\d-\d\dT/

/** The name of a section or column: the same words as on the report's own page. */
const nameOf = (id: string): string => { const key = `figures.${id}`; return hasText(key) ? text(key) : plain(id) }

/** A figure as its column says: shares as percent, times as times, ids as words. */
function say(name: string, v: string | number | null | undefined): string {
  if (v === null || v === undefined || v === '') return '–'
  if (typeof v === 'number') return shares.test(name) ? fineShare(v) : number(Math.round(v * 100) / 100)
  return moment.test(v) ? fullTime(v) : /^[a-z_]+$/.test(v) ? plain(v) : v
}

/** Preview is a report's tables on the page; its own page for print has the same. */
export function Preview({ of }: { of: Report }) {
  const t = useText()
  return (
    <div className="report">
      <p className="muted small">{t('reports.of', { from: fullTime(of.from), to: fullTime(of.to), zone: of.time_zone })}</p>
      {Object.entries(of.sections).map(([name, section]) => {
        const rows = (Array.isArray(section) ? section : [section]) as Row[]
        const single = !Array.isArray(section)
        const columns = [...new Set(rows.flatMap((r) => Object.keys(r)))]
        return (
          <section key={name} className="report-part" aria-label={nameOf(name)}>
            <h3>{nameOf(name)}</h3>
            {rows.length === 0 || columns.length === 0 ? <p className="muted small">{t('reports.empty')}</p> : single
              ? <dl className="report-single">{columns.map((c) => <div key={c}><dt>{nameOf(c)}</dt><dd>{say(c, rows[0]?.[c])}</dd></div>)}</dl>
              : <div className="scrolls report-table" tabIndex={0} role="group" aria-label={nameOf(name)}><div className="report-wide" style={{ minWidth: Math.min(columns.length * 92, 1600) }}>
                  <Table label={nameOf(name)} rows={rows.map((r, i) => ({ r, i }))} rowKey={(x) => String(x.i)} columns={columns.map((c) => ({
                    key: c, head: nameOf(c), num: rows.some((r) => typeof r[c] === 'number') || rows.every((r) => r[c] === null || r[c] === undefined), cell: (x: { r: Row }) => say(c, x.r[c]), sort: (x: { r: Row }) => x.r[c] ?? '',
                  }))} />
                </div></div>}
          </section>
        )
      })}
    </div>
  )
}
