import assert from 'node:assert/strict'

/** Watch notes what a page should never do: break the CSP, log errors, call elsewhere. */
export class Watch {
  constructor(context, origin) {
    this.faults = []
    this.pages = 0
    context.on('page', (page) => {
      // Who leaves the feed while it still connects closes what was not open yet, which Chromium says.
      page.on('console', (m) => { if ((m.type() === 'error' || m.type() === 'warning') && !m.text().includes('WebSocket is closed before the connection is established') && !late(m)) this.faults.push(`${m.type()}: ${m.text()} ${m.location().url}`) })
      page.on('pageerror', (e) => this.faults.push(`uncaught: ${e}`))
      page.on('request', (r) => { if (!r.url().startsWith(origin) && !/^(data|blob|about):/.test(r.url())) this.faults.push(`fetched ${r.url()}`) })
      page.on('response', (r) => {
        const type = r.headers()['content-type'] ?? ''
        if (!type.startsWith('text/html') || r.status() !== 200) return
        this.pages++
        const csp = r.headers()['content-security-policy'] ?? ''
        if (!csp || /unsafe-inline|unsafe-eval/.test(csp)) this.faults.push(`no strict CSP on ${r.url()}: ${csp}`)
      })
    })
  }

  /** Takes away what a step provoked on purpose, such as a refused sign-in. */
  forgive(pattern) { this.faults = this.faults.filter((f) => !pattern.test(f)) }

  check() {
    assert.ok(this.pages > 0, 'pages were watched')
    assert.deepEqual(this.faults, [])
  }
}

/** On a machine that is very busy a poll of the state runs out of its two seconds; the strip says so. */
const late = (m) => /50[34]/.test(m.text()) && /\/(status|models)$/.test(m.location().url)
