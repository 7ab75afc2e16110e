// Tables as files. A cell that a spreadsheet would run as a formula is kept text
// (OWASP, CSV injection).
const cell = (v: string | number | null | undefined): string => {
  if (v === null || v === undefined) return ''
  if (typeof v === 'number') return String(v)
  const safe = /^[=+\-@\t\r]/.test(v) ? `'${v}` : v
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The rows as RFC 4180, with the heads first. */
export function csv(heads: readonly string[], rows: readonly (readonly (string | number | null | undefined)[])[]): string {
  return [heads, ...rows].map((r) => r.map(cell).join(',')).join('\r\n') + '\r\n'
}

/** Hands a text to the person as a file. */
export function download(name: string, content: string, type = 'text/csv'): void {
  const url = URL.createObjectURL(new Blob(['\ufeff', content], { type: `${type};charset=utf-8` }))
  const a = document.createElement('a')
  a.href = url
  a.download = name
  a.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
