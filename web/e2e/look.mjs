// A senior moderator and an administrator look things up and act, against a real
// gateway: a player's page, statistics, reports, health, the audit log, the feed's
// ways to them, preferences in five languages; axe on each screen.
//
//   PORTCULLIS_BIN    the gateway, ../bin/portcullis by default
//   PORTCULLIS_SHOTS  folder for screenshots (none are taken without it)
//   CHROMIUM          the browser, /usr/bin/chromium by default
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { chromium } from 'playwright-core'
import { checkAxe } from './axe.mjs'
import { Game } from './game.mjs'
import { password, startGateway } from './gateway.mjs'
import { Shots } from './shots.mjs'
import { Watch } from './watch.mjs'

const steps = []
const step = async (name, f) => {
  const from = Date.now()
  await f()
  steps.push(name)
  console.log(`ok ${steps.length} ${name} (${Date.now() - from} ms)`)
}

const hostile = 'he said <img src=x onerror=alert(1)> http://evil.example \u202egnp.exe\u202c'

/** What a game sends: words good and bad, trades, a report, a penalty. */
async function day(game) {
  for (const content of ['hello there', 'what an idiot', 'kill yourself', 'gg', 'buy cheap gold at g0ld4u.com now', 'おはよう']) await game.call('POST', '/text/check', { user_id: 'ann', scene_id: 'hall', content })
  const now = Date.now()
  await game.call('POST', '/economy/trade-log', { app_id: game.app, logs: [{ log_id: 't1', timestamp: now - 60_000, trade_id: 't1', sender_id: 'ann', receiver_id: 'bob', items: [{ item_id: 'sword', count: 1 }], return_currency: { type: 'gold', amount: 250 } }] })
  await game.call('POST', '/reports', { reporter_id: 'bob', player_id: 'ann', reason: 'harassment', detail: hostile, content: 'i will find you' })
}

const server = await startGateway({ users: { mia: 'moderator', sue: 'senior', root: 'admin' } })
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
})
const shots = new Shots(process.env.PORTCULLIS_SHOTS)
let failed = null
try {
  const game = new Game(server)
  await day(game)
  const enter = async (name) => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: 'light', reducedMotion: 'reduce', locale: 'en-GB', acceptDownloads: true })
    context.setDefaultTimeout(20_000)
    const watch = new Watch(context, server.url)
    const page = await context.newPage()
    await page.goto(`${server.url}/console/`)
    await page.getByLabel('Name').fill(name)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Live feed' }).waitFor()
    watch.forgive(/401/) // who is not signed in is told so
    return { page, watch }
  }
  const sue = await enter('sue')
  const page = sue.page
  const go = async (name, heading = name) => {
    await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
  }
  const saved = async (press) => {
    const [file] = await Promise.all([page.waitForEvent('download'), press()])
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
  }

  await step('from a row of the feed to the player', async () => {
    await page.getByRole('row').filter({ hasText: 'Blocked' }).or(page.getByRole('row').filter({ hasText: 'Review' })).first().click()
    const details = page.getByRole('complementary')
    assert.match(await details.getByRole('link', { name: 'To the case' }).getAttribute('href'), /^#\/review\/./)
    await details.getByRole('link', { name: 'To the player’s page' }).click()
    await page.getByRole('heading', { name: 'Player ann', level: 1 }).waitFor()
    await page.getByRole('heading', { name: 'Timeline' }).waitFor()
  })
  await step('the timeline has chat, trades, reports and cases; quoted words are text', async () => {
    await page.getByText('Gave to').waitFor()
    await page.getByRole('link', { name: 'bob' }).first().waitFor()
    const report = page.getByRole('listitem').filter({ hasText: 'reported by' })
    assert.ok(!(await report.innerText()).includes('evil.example'), 'hidden at first')
    await report.getByRole('button', { name: 'Show', exact: true }).click()
    await report.getByText('http://evil.example').waitFor()
    assert.equal(await report.locator('img, a[href*="evil"]').count(), 0, 'no markup, no live link')
    assert.ok(await report.locator('.control').count(), 'the bidi control is shown')
    await page.getByRole('button', { name: 'Show what was said' }).last().click()
    await shots.all(page, 'player')
    await checkAxe(page, 'player')
    await page.getByRole('button', { name: /^Trades/ }).click()
    await page.waitForFunction(() => [...document.querySelectorAll('.moment')].every((m) => m.textContent.includes('Trades')))
    await page.getByRole('button', { name: /^Trades/ }).click()
  })
  await step('a penalty by dialog, taken back by its toast', async () => {
    await page.getByRole('button', { name: 'Give a penalty' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Penalty').selectOption('mute_text')
    assert.ok(await dialog.getByRole('button', { name: 'Give a penalty' }).isDisabled(), 'a reason is needed')
    await dialog.getByLabel('Reason').fill('threats')
    await checkAxe(page, 'penalty dialog')
    await dialog.getByRole('button', { name: 'Give a penalty' }).click()
    const holds = page.getByRole('region', { name: 'What holds' })
    await holds.getByText('Chat mute').first().waitFor()
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
    await holds.getByText('No penalty holds.').waitFor()
  })
  await step('evidence is held, and released with a reason', async () => {
    const evidence = page.getByRole('region', { name: 'Evidence' })
    await evidence.getByRole('button', { name: 'Hold', exact: true }).first().click()
    await page.getByRole('dialog').getByLabel('Reason').fill('police file 12')
    await page.getByRole('dialog').getByRole('button', { name: 'Hold', exact: true }).click()
    await evidence.getByText('held by sue: police file 12').waitFor()
    await evidence.getByRole('button', { name: 'End the hold' }).first().click()
    await page.getByRole('dialog').getByLabel('Reason').fill('closed')
    await page.getByRole('dialog').getByRole('button', { name: 'End the hold' }).click()
    await evidence.getByText('held by sue').waitFor({ state: 'detached' })
  })
  await step('trust is fixed, the profile is saved', async () => {
    await page.getByRole('button', { name: 'Set trust' }).click()
    await page.getByRole('dialog').getByLabel('Reason').fill('watch this one')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('fixed by sue: watch this one').waitFor()
    await page.getByRole('button', { name: 'Profile' }).click()
    await page.getByRole('dialog').getByLabel('Region').fill('jp')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('Profile saved.').waitFor()
  })
  await step('a player that nobody knows is said so', async () => {
    await go('Players')
    await checkAxe(page, 'players')
    await page.getByLabel('Player id').fill('nobody here')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('Nobody knows this player').waitFor()
    sue.watch.forgive(/404/)
  })
  await step('statistics: every chart has its table and its file', async () => {
    await go('Statistics')
    const chart = page.getByRole('figure', { name: 'Verdicts over time' })
    await chart.locator('canvas').waitFor()
    await shots.all(page, 'stats')
    await checkAxe(page, 'statistics')
    const file = await saved(() => chart.getByRole('button', { name: /^CSV/ }).click())
    assert.equal(file.name, 'verdicts-7d.csv')
    const lines = file.text.replace('\ufeff', '').trim().split('\r\n')
    assert.equal(lines[0], 'Time,Verdicts')
    assert.ok(lines.some((l) => Number(l.split(',')[1]) > 0), `an hour with verdicts: ${lines.slice(-3)}`)
    await chart.getByRole('button', { name: /^Table/ }).click()
    await chart.getByRole('columnheader', { name: 'Verdicts' }).waitFor()
    for (const f of await page.getByRole('figure').all()) assert.ok(await f.getByRole('button', { name: /^CSV/ }).count(), 'a figure without its file')
    await page.getByRole('button', { name: '30 days' }).click()
    await page.waitForURL(/days=30/)
    await checkAxe(page, 'statistics, table')
  })
  await step('health says what each engine can and cannot detect, and which models there are', async () => {
    await go('Health', 'Health and models')
    await page.getByRole('region', { name: 'Engines: what each can and cannot detect' }).getByText('text engine').waitFor()
    await page.getByRole('heading', { name: 'What is detected in pictures' }).waitFor()
    await page.getByRole('region', { name: 'What waits for people' }).getByText(/waits?/).first().waitFor()
    await shots.all(page, 'health')
    await checkAxe(page, 'health')
  })
  await step('a senior moderator has no audit log, also at its address', async () => {
    assert.equal(await page.getByRole('navigation').getByRole('link', { name: 'Audit log' }).count(), 0)
    await page.goto(`${server.url}/console/#/audit`)
    await page.getByText('Your role may not see this').waitFor()
    await checkAxe(page, 'no permission')
  })
  await step('a key is given to another action; the off switch; five languages', async () => {
    await page.getByRole('button', { name: 'Preferences and keys' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^Next row/ }).click()
    await page.keyboard.press('k')
    await dialog.getByText('K is already: Previous row').waitFor()
    await dialog.getByRole('button', { name: /^Next row/ }).click()
    await page.keyboard.press('d')
    await dialog.getByRole('button', { name: 'Next row: D. Change the key' }).waitFor()
    await shots.all(page, 'preferences')
    await checkAxe(page, 'preferences')
    await page.keyboard.press('Escape')
    await go('Live feed')
    await page.locator('[role="row"][aria-selected]').first().waitFor()
    await page.locator('main').focus()
    await page.keyboard.press('d')
    assert.equal(await page.locator('[aria-selected="true"]').count(), 1, 'the new key moves')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Preferences and keys' }).click()
    await dialog.getByText('Single-key shortcuts').click()
    await page.keyboard.press('Escape')
    await page.locator('main').focus()
    await page.keyboard.press('d')
    assert.equal(await page.locator('[aria-selected="true"]').count(), 0, 'off is off')
    for (const [language, heading] of [['ja', 'ライブフィード'], ['zh-Hans', '实时动态'], ['zh-Hant', '即時動態'], ['ko', '실시간 피드'], ['en', 'Live feed']]) {
      await page.locator('.rail-foot button').first().click()
      await page.getByRole('dialog').locator('select').first().selectOption(language)
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
      assert.equal(await page.locator('html').getAttribute('lang'), language)
      await shots.all(page, `feed-${language}`)
      await checkAxe(page, `feed in ${language}`)
    }
  })
  await step('at 390 px the rail is a menu and every screen has its width', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    for (const [name, heading] of [['Players', 'Players'], ['Statistics', 'Statistics'], ['Reports', 'Reports'], ['Health', 'Health and models'], ['Live feed', 'Live feed']]) {
      await page.getByRole('button', { name: 'Menu' }).click()
      await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
      await page.waitForTimeout(600)
      assert.ok(await page.evaluate(() => { const m = document.querySelector('main'); return m.scrollWidth <= m.clientWidth + 1 }), `${name} is wider than the screen`)
      await checkAxe(page, `${name} at 390 px`)
    }
    await page.getByRole('button', { name: 'Menu' }).click()
    await checkAxe(page, 'menu at 390 px')
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1440, height: 900 })
  })
  await step('sue: no CSP violation, no console error, nothing fetched from elsewhere', async () => sue.watch.check())

  const root = await enter('root')
  const desk = root.page
  await step('a report is previewed, printed, put on schedule and taken off', async () => {
    await desk.goto(`${server.url}/console/#/reports`)
    await desk.getByRole('region', { name: 'Volume', exact: true }).getByText('Verdicts', { exact: true }).waitFor()
    await shots.all(desk, 'reports')
    await checkAxe(desk, 'reports')
    const [print] = await Promise.all([desk.context().waitForEvent('page'), desk.getByRole('link', { name: 'Open to print' }).click()])
    await print.waitForLoadState()
    assert.match(await print.locator('body').innerText(), /Operations/i)
    await print.close()
    const schedules = desk.getByRole('region', { name: 'Schedules' })
    await schedules.getByRole('button', { name: 'Add a schedule' }).click()
    await desk.getByRole('dialog').getByRole('button', { name: 'Add a schedule' }).click()
    await schedules.getByText('every week').waitFor()
    await schedules.getByRole('button', { name: /^Remove/ }).click()
    await schedules.getByText('No report is made by itself.').waitFor()
  })
  await step('the audit log says who did it, filtered by the URL, sealed by checkpoints', async () => {
    await server.command('audit', 'checkpoint') // one is made each minute
    await desk.goto(`${server.url}/console/#/audit?actor=sue`)
    const entries = desk.getByRole('grid', { name: 'Entries' })
    await entries.getByText('sue').first().waitFor()
    assert.equal(await entries.getByText('cli', { exact: true }).count(), 0, 'only what sue did')
    await desk.getByRole('region', { name: 'Checkpoints' }).getByText('Public key').waitFor()
    await shots.all(desk, 'audit')
    await checkAxe(desk, 'audit')
    await entries.focus()
    await desk.keyboard.press('ArrowDown')
    await desk.keyboard.press('Enter')
    await desk.getByRole('dialog').getByText('Hash', { exact: true }).waitFor()
    await checkAxe(desk, 'audit entry')
    await desk.keyboard.press('Escape')
  })
  await step('an administrator erases a player, once the id is typed', async () => {
    await desk.goto(`${server.url}/console/#/players/ann`)
    await desk.getByRole('button', { name: 'Erase data' }).click()
    const dialog = desk.getByRole('dialog')
    const erase = dialog.getByRole('button', { name: 'Erase data' })
    assert.ok(await erase.isDisabled())
    await dialog.getByLabel('Type ann to confirm').fill('ann')
    await erase.click()
    await desk.getByText(/^Erased: /).waitFor()
    root.watch.forgive(/404/)
  })
  await step('root: no CSP violation, no console error, nothing fetched from elsewhere', async () => root.watch.check())
} catch (err) {
  failed = err
  console.error(err)
  for (const page of browser.contexts().flatMap((c) => c.pages())) console.error(page.url(), '\n', await page.locator('body').innerText().catch(() => ''))
} finally {
  await browser.close()
  await server.stop()
}
console.log(`${steps.length} passed, ${failed ? 1 : 0} failed`)
process.exit(failed ? 1 : 0)
