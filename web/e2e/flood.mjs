// What the live feed costs the page at 500 events a second, from Chromium's own
// trace: how busy the main thread is, its longest task, and the memory before and
// after. The events come from the mock, so that the gateway's work is not in it.
//   node e2e/flood.mjs [events a second, 500] [seconds, 20]
import { chromium } from 'playwright-core'
import { startMock } from './mock/server.mjs'

const rate = Number(process.argv[2] ?? 500)
const seconds = Number(process.argv[3] ?? 20)
const server = await startMock({ rate })
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--enable-precise-memory-info', '--js-flags=--expose-gc'] })
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(server.setup)
  await page.getByLabel('Name').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill('a long enough passphrase')
  await page.getByLabel('Password again').fill('a long enough passphrase')
  await page.getByRole('button', { name: 'Create and sign in' }).click()
  await page.locator('[role="row"][aria-selected]').first().waitFor()
  await page.waitForTimeout(12_000) // the ring of 5000 fills, so that the memory is that of the long run
  const heap = async () => { await page.evaluate(() => globalThis.gc?.()); return page.evaluate(() => performance.memory.usedJSHeapSize / 1e6) }
  const before = await heap()
  const cdp = await page.context().newCDPSession(page)
  const events = []
  cdp.on('Tracing.dataCollected', ({ value }) => events.push(...value))
  await cdp.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline', '__metadata'] } })
  await page.waitForTimeout(seconds * 1000)
  const done = new Promise((ok) => cdp.once('Tracing.tracingComplete', ok))
  await cdp.send('Tracing.end')
  await done
  const after = await heap()
  const said = await page.locator('.feed-head').innerText()
  report(events, { before, after, said })
} finally {
  await browser.close()
  await server.stop()
}

/** The tasks of the page's main thread: the renderer's that has most of them. */
function report(events, { before, after, said }) {
  const mains = new Set(events.filter((e) => e.name === 'thread_name' && e.args.name === 'CrRendererMain').map((e) => `${e.pid}.${e.tid}`))
  const byThread = new Map()
  for (const e of events) if (e.ph === 'X' && e.name === 'RunTask' && mains.has(`${e.pid}.${e.tid}`)) byThread.set(`${e.pid}.${e.tid}`, [...(byThread.get(`${e.pid}.${e.tid}`) ?? []), e])
  const tasks = [...byThread.values()].sort((a, b) => b.length - a.length)[0] ?? []
  const ms = tasks.map((e) => e.dur / 1000)
  const cpu = tasks.map((e) => (e.tdur ?? e.dur) / 1000) // without the time in which another process had the core
  const span = (Math.max(...tasks.map((e) => e.ts + e.dur)) - Math.min(...tasks.map((e) => e.ts))) / 1000
  const round = (n) => Math.round(n * 10) / 10
  console.log(JSON.stringify({
    rate, seconds: round(span / 1000), tasks: tasks.length, busy_share: round((100 * ms.reduce((a, b) => a + b, 0)) / span), longest_ms: round(Math.max(...ms)),
    cpu_share: round((100 * cpu.reduce((a, b) => a + b, 0)) / span), longest_cpu_ms: round(Math.max(...cpu)), over_50_ms: ms.filter((x) => x > 50).length, over_100_ms: ms.filter((x) => x > 100).length, heap_mb: [round(before), round(after)], head: said.replaceAll('\n', ' '),
  }))
}
