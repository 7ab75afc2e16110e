// What the live feed costs the page at 500 events a second, from Chromium's own
// trace: how busy the main thread is and its longest task; then, for some minutes, what
// the heap holds after each forced collection, and the slope of that. The events come
// from the mock, so that the gateway's work is not in it.
//   node e2e/flood.mjs [events a second, 500] [seconds of trace, 20] [--minutes of heap samples, 0]
import { chromium } from 'playwright-core'
import { startMock } from './mock/server.mjs'

const args = process.argv.slice(2)
const flag = args.indexOf('--minutes')
const minutes = flag < 0 ? 0 : Number(args.splice(flag, 2)[1])
const [rate = 500, seconds = 20] = args.map(Number)
const every = 15_000 // ms between samples of the heap
const round = (n) => Math.round(n * 100) / 100

const server = await startMock({ rate })
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(server.setup)
  await page.getByLabel('Name').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill('a long enough passphrase')
  await page.getByLabel('Password again').fill('a long enough passphrase')
  await page.getByRole('button', { name: 'Create and sign in' }).click()
  await page.locator('[role="row"][aria-selected]').first().waitFor()
  const cdp = await page.context().newCDPSession(page)
  const heap = async () => {
    await cdp.send('HeapProfiler.collectGarbage')
    return (await cdp.send('Runtime.getHeapUsage')).usedSize / 1e6
  }
  await page.waitForTimeout(12_000) // the ring of 5000 fills, so that the memory is that of the long run
  const trace = await traced(cdp, page)
  const samples = []
  const from = Date.now()
  for (let n = 0; n === 0 || Date.now() - from < minutes * 60_000; n++) {
    if (n > 0) await page.waitForTimeout(every)
    samples.push({ s: (Date.now() - from) / 1000, mb: await heap() })
  }
  const dom = await cdp.send('Memory.getDOMCounters')
  console.log(JSON.stringify({
    rate, ...trace, heap_mb: samples.map((x) => round(x.mb)), heap_mb_a_minute: round(slope(samples) * 60), dom_nodes: dom.nodes, listeners: dom.jsEventListeners,
    head: (await page.locator('.feed-head').innerText()).replaceAll('\n', ' '),
  }))
} finally {
  await browser.close()
  await server.stop()
}

async function traced(cdp, page) {
  const events = []
  cdp.on('Tracing.dataCollected', ({ value }) => events.push(...value))
  await cdp.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline', '__metadata'] } })
  await page.waitForTimeout(seconds * 1000)
  const done = new Promise((ok) => cdp.once('Tracing.tracingComplete', ok))
  await cdp.send('Tracing.end')
  await done
  return busy(events)
}

/** The tasks of the page's main thread: the renderer's that has most of them. */
function busy(events) {
  const mains = new Set(events.filter((e) => e.name === 'thread_name' && e.args.name === 'CrRendererMain').map((e) => `${e.pid}.${e.tid}`))
  const byThread = new Map()
  for (const e of events) if (e.ph === 'X' && e.name === 'RunTask' && mains.has(`${e.pid}.${e.tid}`)) byThread.set(`${e.pid}.${e.tid}`, [...(byThread.get(`${e.pid}.${e.tid}`) ?? []), e])
  const tasks = [...byThread.values()].sort((a, b) => b.length - a.length)[0] ?? []
  const ms = tasks.map((e) => e.dur / 1000)
  const cpu = tasks.map((e) => (e.tdur ?? e.dur) / 1000) // without the time in which another process had the core
  const span = (Math.max(...tasks.map((e) => e.ts + e.dur)) - Math.min(...tasks.map((e) => e.ts))) / 1000
  const share = (list) => round((100 * list.reduce((a, b) => a + b, 0)) / span)
  return { seconds: round(span / 1000), tasks: tasks.length, busy_share: share(ms), longest_ms: round(Math.max(...ms)), cpu_share: share(cpu), longest_cpu_ms: round(Math.max(...cpu)), over_50_ms: ms.filter((x) => x > 50).length, over_100_ms: ms.filter((x) => x > 100).length, over_100_cpu_ms: cpu.filter((x) => x > 100).length }
}

/** MB a second: the line of least squares through the samples. */
function slope(list) {
  if (list.length < 2) return 0
  const mean = (f) => list.reduce((a, x) => a + f(x), 0) / list.length
  const ms = mean((x) => x.s)
  const mm = mean((x) => x.mb)
  return list.reduce((a, x) => a + (x.s - ms) * (x.mb - mm), 0) / list.reduce((a, x) => a + (x.s - ms) ** 2, 0)
}
