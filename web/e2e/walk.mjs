// Every screen in every state it can be in, against a real gateway: nothing there yet,
// full, loading, offline, failed, not permitted; at 390, 1280 and 2560 px, with motion
// reduced; and what the first screens weigh over the wire.
//
//   PORTCULLIS_BIN    the gateway, ../bin/portcullis by default
//   PORTCULLIS_SHOTS  folder for screenshots of every screen (none are taken without it)
//   CHROMIUM          the browser, /usr/bin/chromium by default
//   node e2e/walk.mjs [PLACE...]   walks these alone
import assert from 'node:assert/strict'
import { chromium } from 'playwright-core'
import { checkAxe } from './axe.mjs'
import { password, startGateway } from './gateway.mjs'
import { firstScreens, limit } from './weight.mjs'
import { places } from './places.mjs'
import { Shots } from './shots.mjs'
import { Watch } from './watch.mjs'
import { startMock } from './mock/server.mjs'
import { fill, gameOf, rightToLeft } from './world.mjs'

let steps = 0
const step = async (name, f) => {
  const from = Date.now()
  await f()
  console.log(`ok ${++steps} ${name} (${Date.now() - from} ms)`)
}
const some = process.argv.slice(2)
/** Screens whose state is not that of a call: the feed has its stream's, the search for a player asks nothing, a new rule is not there to be asked for. */
const apart = new Set(['feed', 'players', 'settings/guide', 'economy/rules/new_rule'])
const walked = some.length ? some : places

const server = await startGateway({ users: { root: 'admin' } })
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
})
let failed = null
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, colorScheme: 'light', reducedMotion: 'reduce', locale: 'en-GB' })
  context.setDefaultTimeout(60_000)
  await context.addInitScript(watchLabels)
  const watch = new Watch(context, server.url)
  const page = await context.newPage()
  const faults = []
  const check = (place, ok, what) => { if (!ok) faults.push(`${place}: ${what}`) }
  const told = () => { const all = faults.splice(0); assert.deepEqual(all, []) }

  await step('the first screens weigh no more than promised', async () => {
    for (const [name, bytes] of Object.entries(await firstScreens(browser, server.url, enter))) {
      console.log(`   ${name}: ${(bytes / 1000).toFixed(0)} kB over the wire (goal ${limit / 1000})`)
      assert.ok(bytes > 50_000 && bytes < limit, `${name} weighs ${bytes} bytes`)
    }
  })
  await enter(page, server.url)
  watch.forgive(/401/)

  await step('with nothing there yet every screen says so, or what to do', async () => {
    for (const place of walked) {
      await open(page, place)
      await look(place, 'empty')
      await checkAxe(page, `${place}, empty`, ['light']).catch((err) => faults.push(err.message.split('\n').slice(0, 12).join(' ')))
    }
    watch.forgive(/404 .*\/(players|economy|lists|image-banks|policies)\//) // what is not there yet is said to be missing
    watch.forgive(/404.*(risk-score|\/web|timeline|new_rule|house|logos|ann|boss)/)
    told()
  })

  const game = gameOf(server)
  await fill(game, page)

  await step('full, every screen fits at 390, 1280 and 2560 px, and nothing moves', async () => {
    const shots = new Shots(process.env.PORTCULLIS_SHOTS, [[390, 844], [1280, 900]])
    for (const place of walked) {
      await open(page, place)
      await shots.all(page, `screen-${place.replaceAll('/', '-')}`)
      for (const [width, height] of [[390, 844], [1280, 900], [2560, 1300]]) {
        await page.setViewportSize({ width, height })
        await page.waitForTimeout(150)
        await look(place, `${width} px`)
      }
      await page.setViewportSize({ width: 1280, height: 900 })
      await checkAxe(page, place).catch((err) => faults.push(err.message.split('\n').slice(0, 12).join(' ')))
    }
    watch.forgive(/404.*new_rule/) // a rule that is being written
    told()
  })

  await step('in every language every screen has its texts, and room for them', async () => {
    for (const language of ['ja', 'zh-Hans', 'zh-Hant', 'ko']) {
      await page.evaluate((l) => localStorage.setItem('portcullis.prefs', JSON.stringify({ ...JSON.parse(localStorage.getItem('portcullis.prefs') ?? '{}'), language: l })), language)
      await page.reload()
      for (const place of walked) {
        await page.goto(`${server.url}/console/#/${place}`)
        await page.locator('#main h1').waitFor()
        await page.waitForTimeout(250)
        for (const [width, height] of [[390, 844], [1280, 900]]) {
          await page.setViewportSize({ width, height })
          await page.waitForTimeout(60)
          await look(place, `${language}, ${width} px`)
        }
      }
    }
    await page.evaluate(() => localStorage.removeItem('portcullis.prefs'))
    await page.reload()
    watch.forgive(/404.*new_rule/)
    told()
  })
  await step('words from right to left keep to themselves: their direction, their place, the page’s direction', async () => {
    await page.setViewportSize({ width: 2560, height: 1300 }) // on one line
    await open(page, 'player-reports')
    const said = page.locator('.quoted').filter({ hasText: rightToLeft })
    await said.waitFor()
    assert.deepEqual(await said.evaluate((q) => { const s = getComputedStyle(q); return [s.direction, s.unicodeBidi, getComputedStyle(q.parentElement).direction] }), ['rtl', 'isolate', 'ltr'])
    const name = page.getByRole('link', { name: 'سارة-٧' }).locator('bdi')
    assert.equal(await name.evaluate((b) => getComputedStyle(b).unicodeBidi), 'isolate')
    assert.equal(await page.evaluate(() => document.documentElement.dir || 'ltr'), 'ltr')
    // The reason stands before the words, wherever those begin.
    const [reason, words] = await said.evaluate((q) => { const own = document.createRange(); own.selectNode(q.parentElement.firstChild); return [own.getBoundingClientRect().left, q.getBoundingClientRect().left] })
    assert.ok(reason < words, `the reason at ${reason}, the words at ${words}`)
    await page.setViewportSize({ width: 1280, height: 900 })
  })
  await step('flooded, the feed says which part of the clean it shows, and Pause holds still', async () => {
    const mock = await startMock({ rate: 600 })
    const flooded = await (await browser.newContext({ reducedMotion: 'reduce', locale: 'en-GB' })).newPage()
    await flooded.goto(mock.setup)
    await flooded.getByLabel('Name').fill('admin')
    await flooded.getByLabel('Password', { exact: true }).fill(password)
    await flooded.getByLabel('Password again').fill(password)
    await flooded.getByRole('button', { name: 'Create and sign in' }).click()
    await flooded.getByText(/^Flooded: 1 of \d+ clean passes is shown; everything flagged is\.$/).waitFor()
    await flooded.getByRole('button', { name: 'Pause' }).click()
    await flooded.getByRole('button', { name: /^Show .* new event/ }).waitFor()
    const top = () => flooded.getByRole('row').nth(1).getAttribute('id')
    const was = await top()
    await flooded.waitForTimeout(700)
    assert.equal(await top(), was, 'paused, rows move')
    await flooded.context().close()
    await mock.stop()
  })

  // What a screen asks is answered by the state; who is signed in and how the gateway is stay true.
  const answers = {
    loading: { answer: () => {}, shows: () => page.locator('#main').getByText('Loading…').first() },
    offline: { answer: (route) => route.abort('internetdisconnected'), shows: () => page.locator('#main').getByRole('alert').filter({ hasText: /No connection to the gateway|You are offline/ }).first() },
    failed: { answer: (route) => route.fulfill({ status: 500, contentType: 'application/json', body: '{"code":2001,"message":"the disk is full"}' }), shows: () => page.locator('#main').getByRole('alert').filter({ hasText: 'That did not work' }).first() },
    forbidden: { answer: (route) => route.fulfill({ status: 403, contentType: 'application/json', body: '{"code":1004,"message":"permission denied"}' }), shows: () => page.locator('#main').getByText('Your role may not see this').first() },
  }
  for (const [state, { answer, shows }] of Object.entries(answers)) {
    await step(`${state}: every screen says it, and all is there once it is over`, async () => {
      for (const place of walked) {
        let asked = 0
        let over = false
        const gate = async (route) => {
          const path = new URL(route.request().url()).pathname.replace('/api/v1', '')
          if (over || ['/auth/me', '/status'].includes(path) || route.request().method() !== 'GET') return route.fallback()
          asked++
          return answer(route)
        }
        await page.goto('about:blank')
        await page.route('**/api/v1/**', gate)
        await page.goto(`${server.url}/console/#/${place}`)
        await page.locator('#main h1').waitFor()
        await page.locator('#main').getByText('Loading…').first().waitFor({ state: state === 'loading' ? 'visible' : 'detached', timeout: 8000 }).catch(() => {})
        const said = await shows().waitFor({ timeout: 3000 }).then(() => true, () => false)
        // A page that asks for nothing but the app's name, or a stream, has no state of its own.
        check(place, said || asked === 0 || apart.has(place), `${state}, ${asked} calls: ${(await page.locator('#main').innerText()).replaceAll('\n', ' ').slice(0, 160)}`)
        if (state === 'offline' || state === 'failed') {
          over = true
          for (let i = 0; i < 4; i++) {
            const again = page.locator('#main').getByRole('button', { name: 'Try again' })
            if (!(await again.count())) break
            for (const b of await again.all()) await b.click({ timeout: 1000 }).catch(() => {})
            await page.waitForTimeout(200)
          }
          await page.waitForTimeout(150)
          check(place, !said || (await page.locator('#main').getByRole('button', { name: 'Try again' }).count()) === 0, `${state}: still told after it is over`)
        }
        await page.unroute('**/api/v1/**', gate)
      }
      watch.forgive(/404.*new_rule|50[0-9]|403|ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_ABORTED/)
      told()
    })
  }
  await step('a page whose code does not come says so, and comes at the next try', async () => {
    await page.goto('about:blank')
    await page.goto(`${server.url}/console/#/feed`)
    await page.getByRole('heading', { name: 'Live feed' }).waitFor()
    const gate = (route) => route.abort('connectionfailed')
    await page.route(/\/assets\/.*\.(js|css)/, gate)
    await page.getByRole('navigation').getByRole('link', { name: 'Queues', exact: true }).click()
    await page.getByRole('heading', { name: 'The page could not be fetched' }).waitFor()
    await checkAxe(page, 'a page that did not come')
    await page.unroute(/\/assets\/.*\.(js|css)/, gate)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Queues', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Review this queue' }).first().waitFor()
    watch.forgive(/ERR_CONNECTION_FAILED|ERR_FAILED|dynamically imported|preload/)
  })
  await step('no CSP violation, no console error, nothing fetched from elsewhere', async () => watch.check())

  /** What holds for every screen at every size: a name, no key in place of a text, nothing wider than the page or cut off, no motion. */
  async function look(place, when) {
    const seen = await page.evaluate((features) => {
      const main = document.querySelector('#main')
      const box = main.getBoundingClientRect()
      const scrolls = (el) => { for (let e = el.parentElement; e && e !== main; e = e.parentElement) if (/auto|scroll|hidden|clip/.test(getComputedStyle(e).overflowX)) return true; return false }
      const out = []
      for (const el of main.querySelectorAll('*')) {
        if (!el.firstChild || el.closest('.sr-only, svg, canvas')) continue
        const r = el.getBoundingClientRect()
        if (r.width > 0 && r.right > box.right + 1 && !scrolls(el)) out.push(`<${el.tagName.toLowerCase()} ${el.className}> ${el.textContent.slice(0, 30)}`)
        const s = getComputedStyle(el)
        const words = [...el.childNodes].some((n) => n.nodeType === 3 && n.data.trim())
        if (words && s.textOverflow !== 'ellipsis' && el.scrollWidth > el.clientWidth + 1 && el.clientWidth > 1 && s.overflowX !== 'visible' && s.display !== 'inline') out.push(`cut: ${el.textContent.slice(0, 40)}`)
      }
      return {
        h1: [...document.querySelectorAll('h1')].map((h) => h.textContent),
        wide: document.documentElement.scrollWidth > innerWidth + 1 || main.scrollWidth > main.clientWidth + 1,
        out: out.slice(0, 3), keys: (main.innerText.match(/\b(policies|lists|economy|settings|common|review|queues|shell|vault|stats|health|player|banks|audit|feed)\.[a-z_]+\b/g) ?? []).filter((k) => !features.includes(k)).slice(0, 3),
        bare: [...main.querySelectorAll('.plot, .bars, svg.web')].filter((p) => { const said = [...(p.closest('figure')?.querySelectorAll('figcaption button') ?? [])].map((b) => b.textContent); return !said.some((x) => /^(Table|Chart|表|グラフ|表格|图表|圖表|표|차트)/.test(x)) || !said.some((x) => x.startsWith('CSV')) }).length,
        labels: window.cutLabels.splice(0).slice(0, 3),
        moving: document.getAnimations().filter((a) => a.playState === 'running').length, text: main.innerText.length,
      }
    }, ['player.score'])
    check(place, seen.h1.length === 1 && seen.h1[0].trim(), `${when}: h1 ${JSON.stringify(seen.h1)}`)
    check(place, !seen.wide, `${when}: wider than the screen`)
    check(place, seen.out.length === 0, `${when}: cut off: ${seen.out.join(' | ')}`)
    check(place, seen.keys.length === 0, `${when}: keys for texts: ${seen.keys}`)
    check(place, seen.labels.length === 0, `${when}: labels that their chart cuts off: ${seen.labels.join(' | ')}`)
    check(place, seen.bare === 0, `${when}: ${seen.bare} charts without their table or their file`)
    check(place, seen.moving === 0, `${when}: ${seen.moving} animations with motion reduced`)
    check(place, seen.text > 40, `${when}: says nothing`)
  }
} catch (err) {
  failed = err
  const page = browser.contexts()[0]?.pages()[0]
  console.error(`at ${page?.url()}\n${(await page?.locator('body').innerText().catch(() => ''))?.slice(0, 1500)}`)
} finally {
  await browser.close()
  await server.stop()
}
if (failed) { console.error(failed); process.exit(1) }
console.log(`all ${steps} steps`)

/** Runs in the page: what a chart writes on its canvas beyond the canvas's edge is noted. */
function watchLabels() {
  const write = CanvasRenderingContext2D.prototype.fillText
  window.cutLabels = []
  CanvasRenderingContext2D.prototype.fillText = function (text, x, ...rest) {
    const wide = this.measureText(text).width
    const left = x - (this.textAlign === 'center' ? wide / 2 : /right|end/.test(this.textAlign) ? wide : 0)
    const at = this.getTransform()
    if (this.canvas.closest('.plot') && at.b === 0 && (at.a * left + at.e < -1 || at.a * (left + wide) + at.e > this.canvas.width + 1)) window.cutLabels.push(text)
    return write.call(this, text, x, ...rest)
  }
}

async function enter(page, url) {
  await page.goto(`${url}/console/`)
  await page.getByLabel('Name').fill('root')
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Live feed' }).waitFor()
}

async function open(page, place) {
  await page.goto(`${server.url}/console/#/${place}`)
  await page.locator('#main h1').waitFor()
  await page.locator('#main').getByText('Loading…').first().waitFor({ state: 'detached' })
  await page.waitForTimeout(150)
}
