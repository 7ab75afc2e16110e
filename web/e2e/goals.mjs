// What the console promises and a test of jobs does not say: how soon its first screen
// can be used from a cold cache and what it weighs, and Lighthouse's accessibility on every screen.
// Lighthouse is 150 MB with its browsers' drivers and no dependency of ours:
//   npm i --no-save lighthouse@13.5.0 && node e2e/goals.mjs [cold | lighthouse [SCREEN...]]
import { createServer } from 'node:net'
import { chromium } from 'playwright-core'
import { password, startGateway } from './gateway.mjs'
import { places } from './places.mjs'
import { firstScreens, limit } from './weight.mjs'
import { fill, gameOf } from './world.mjs'

const [only, ...some] = process.argv.slice(2)
const port = await new Promise((ok) => { const s = createServer().listen(0, '127.0.0.1', () => { const { port: p } = s.address(); s.close(() => ok(p)) }) })
const server = await startGateway({ users: { root: 'admin' } })
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', `--remote-debugging-port=${port}`],
})
let missed = 0
// Lighthouse leaves what it waited for behind when it is done with a page, and that fails then.
process.on('unhandledRejection', (err) => { if (!/Session closed|Target closed|Protocol error/.test(String(err))) throw err })
try {
  const context = await browser.newContext()
  const desk = await context.newPage()
  await enter(desk, server.url)
  await fill(gameOf(server), desk)
  await context.close()
  if (only !== 'lighthouse') {
    await weights()
    await coldStarts()
  }
  if (only !== 'cold') await lighthouse()
} finally {
  await browser.close()
  await server.stop()
}
process.exit(missed ? 1 : 0)

/** What the first screens weigh as they were sent. */
async function weights() {
  for (const [name, bytes] of Object.entries(await firstScreens(browser, server.url, enter))) {
    if (bytes >= limit) missed++
    console.log(`weight, ${name}: ${(bytes / 1000).toFixed(0)} kB over the wire (goal ${limit / 1000})`)
  }
}

/** The first screen of somebody who is signed in, in a context that has nothing cached. */
async function coldStarts() {
  const first = await browser.newContext()
  await enter(await first.newPage(), server.url)
  const cookies = await first.cookies()
  await first.close()
  const times = { 'sign-in': [], feed: [] }
  for (let i = 0; i < 5; i++) {
    for (const [name, jar] of [['sign-in', []], ['feed', cookies]]) {
      const context = await browser.newContext()
      await context.addCookies(jar)
      const page = await context.newPage()
      await page.goto(`${server.url}/console/#/feed`, { waitUntil: 'commit' })
      // Usable is when what the screen is for is there and the main thread is free.
      await page.waitForSelector(name === 'feed' ? '.feed-head' : 'form input')
      times[name].push(await page.evaluate(() => new Promise((ok) => requestAnimationFrame(() => setTimeout(() => ok(performance.now()))))))
      await context.close()
    }
  }
  for (const [name, list] of Object.entries(times)) {
    list.sort((a, b) => a - b)
    if (list[2] > 1500) missed++
    console.log(`cold, ${name}: median ${list[2].toFixed(0)} ms, slowest ${list[4].toFixed(0)} ms (goal 1500)`)
  }
}

async function enter(page, url) {
  await page.goto(`${url}/console/`)
  await page.getByLabel('Name').fill('root')
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Live feed' }).waitFor()
}

async function lighthouse() {
  const { default: run } = await import('lighthouse').catch(() => ({}))
  if (!run) {
    console.log('lighthouse is not installed: npm i --no-save lighthouse@13.5.0')
    return
  }
  // Lighthouse opens pages in the browser's own context: sign in there.
  const cdp = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
  await enter(await cdp.contexts()[0].newPage(), server.url)
  for (const screen of some.length ? some : places) {
    const of = () => run(`${server.url}/console/#/${screen}`, {
      port, onlyCategories: ['accessibility'], disableStorageReset: true, disableFullPageScreenshot: true, output: 'json', logLevel: 'error',
      screenEmulation: { disabled: true }, formFactor: 'desktop', throttlingMethod: 'provided', maxWaitForLoad: 30_000, cpuQuietThresholdMs: 500, networkQuietThresholdMs: 500,
    })
    const { lhr } = await of().catch(of) // a machine that is very busy answers late
    const score = Math.round(lhr.categories.accessibility.score * 100)
    const faults = Object.values(lhr.audits).filter((a) => a.score !== null && a.score < 1).map((a) => a.id)
    if (score < 100) missed++
    console.log(`${score} ${screen} ${faults.join(' ')}`)
  }
}
