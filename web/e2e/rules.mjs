// Whole jobs of policies, lists, economy and settings, in a real browser against a real
// gateway: a key, a policy through shadow to live, a ring from its alert to its bans.
//
//   PORTCULLIS_BIN    the gateway's binary; it gets a folder and ports of its own
//   PORTCULLIS_SHOTS  folder for screenshots (none are taken without it)
//   CHROMIUM          the browser, /usr/bin/chromium by default
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import { checkAxe } from './axe.mjs'
import { Game } from './game.mjs'
import { password, startGateway } from './gateway.mjs'
import { ringOf, weekOfLogs } from './ring.mjs'
import { Shots } from './shots.mjs'
import { Watch } from './watch.mjs'

let steps = 0
const step = async (name, f) => {
  const from = Date.now()
  await f()
  console.log(`ok ${++steps} ${name} (${Date.now() - from} ms)`)
}

const server = await startGateway({ app: '', development: true })
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
})
let failed = null
try {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: 'light', reducedMotion: 'reduce', locale: 'en-US' })
  context.setDefaultTimeout(60_000)
  const watch = new Watch(context, server.url)
  const shots = new Shots(process.env.PORTCULLIS_SHOTS, [[1280, 900], [2560, 1300], [390, 844]])
  const page = await context.newPage()
  const go = async (place) => { await page.goto(`${server.url}/console/#${place}`); await page.locator('#main').waitFor() }
  // All that is not accessible is told at the end, not the first alone.
  const look = async (name) => { await shots.all(page, name); await checkAxe(page, name).catch((err) => unclean.push(`${err.message.split('\n')[0]} ${JSON.stringify(err.actual)}`)) }
  // What is said to screen readers alone may stand behind a blank.
  const said = (name) => new RegExp(`^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(': ', ' ?: ?')}$`)
  const button = (name) => page.getByRole('button', { name: said(name) })
  const confirm = (name) => page.getByRole('dialog').getByRole('button', { name: said(name) })
  const unclean = []
  let game

  await step('the setup link makes the first administrator', async () => {
    await page.goto(server.setup)
    await page.getByLabel('Name').fill('ada')
    for (const f of await page.locator('input[type=password]').all()) await f.fill(password)
    await page.locator('form button[type=submit]').click()
    await page.getByRole('heading', { name: 'Live feed' }).waitFor()
  })

  await step('the introduction knows that nothing is done', async () => {
    await go('/settings')
    await page.getByText('steps are done').first().waitFor()
    await look('settings-start-empty')
  })

  await step('an app is registered and its key shown once', async () => {
    await page.getByRole('link', { name: 'Apps and keys' }).click()
    await button('Register an app').click()
    await page.getByLabel('Name of the app').fill('ring-game')
    await confirm('Register').click()
    const secret = await page.getByLabel(/^Secret of/).inputValue()
    assert.match(secret, /^psk_/)
    await button('I have kept it').click()
    await page.getByRole('heading', { name: 'ring-game' }).waitFor()
    assert.equal(await page.getByText(secret).count(), 0, 'the secret stays on the page')
    await page.locator('.app-choice select').selectOption('ring-game')
    game = new Game({ url: server.url, app: 'ring-game', secret })
    await button('New key: ring-game').click()
    await confirm('New key').click()
    await button('I have kept it').click()
    await page.getByText('ends', { exact: false }).first().waitFor()
    await look('settings-apps')
  })

  await step('the game calls, and the introduction sees it', async () => {
    for (const text of ['good game', 'hello all', 'you are an idiot', 'buy gold at cheap-gold.example', 'nice one', 'get out of here you idiot']) await game.check(text, { user_id: 'hero-1', scene_id: 'lobby' })
    const { currency, trade } = weekOfLogs()
    await game.submit('trade', trade)
    await game.submit('currency', currency)
    await game.submit('trade', ringOf(200))
    await go('/settings')
    await page.getByText('checks in 89 days').waitFor({ timeout: 90_000 })
  })

  await step('a layer is written by its sliders, and its faults stand at their fields', async () => {
    await go('/policies')
    await look('policies-layers')
    await button('New layer').click()
    await page.getByLabel('Kind').selectOption('channel')
    await page.getByLabel('Name', { exact: true }).fill('lobby')
    await button('Open').click()
    await page.getByRole('heading', { name: 'Channel: lobby' }).waitFor()
    const harassment = page.getByRole('group', { name: 'Harassment', exact: true })
    await harassment.getByRole('slider').focus()
    await page.keyboard.press('End')
    await harassment.getByLabel(/Action/).selectOption('block')
    await button('Add a window').click()
    await page.getByRole('group', { name: 'Window 1' }).getByLabel('From').fill('')
    await button('Put in force at once').click()
    await confirm('Put in force').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    watch.forgive(/400/)
    await page.getByRole('group', { name: 'Window 1' }).getByRole('alert').filter({ hasText: /./ }).waitFor()
    await look('policies-layer-faults')
    await button('Remove window 1').click()
  })

  await step('the draft is tried on a text, and on what is stored', async () => {
    await page.locator('summary', { hasText: /^Too loud/ }).click()
    await page.getByLabel('Loudness over 400 ms (LUFS)').first().pressSequentially('-8.5')
    await page.getByRole('row').filter({ hasText: 'Too loud › Loudness over 400 ms (LUFS)' }).filter({ hasText: '-8.5' }).waitFor()
    await page.getByText('1 value of its own').waitFor()
    await page.getByLabel('Levels stricter for the watched').fill('2')
    await page.getByRole('row').filter({ hasText: 'Standing of players › Levels stricter for the watched' }).waitFor()
    await page.getByLabel('Text to try').fill('you are an idiot')
    await button('Try').click()
    await page.getByText('The draft decides otherwise.').waitFor()
    await button('Back-test').click()
    await page.getByText('stored decisions, which stand for').waitFor({ timeout: 60_000 })
    await look('policies-layer')
  })

  const advance = async (to) => {
    await button(`Go on to: ${to}`).click()
    await confirm(`Go on to: ${to}`).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await step('a rollout goes through tests and back-test to shadow', async () => {
    await button('Begin a rollout').click()
    await page.getByLabel(/^Tests:/).fill('block you are an idiot\npass good game')
    await confirm('Begin').click()
    await page.getByRole('heading', { name: 'Rollout of Channel: lobby' }).waitFor()
    await advance('Tested')
    await page.getByText('All 2 tests came out as promised').waitFor()
    await advance('Back-test')
    await page.getByRole('status').filter({ hasText: 'Done' }).waitFor({ timeout: 60_000 })
    await advance('Shadow')
    for (let i = 0; i < 12; i++) await game.check(i % 3 ? 'good game' : 'you are an idiot', { user_id: `hero-${i}`, scene_id: 'lobby' })
    await page.getByRole('row').filter({ hasText: 'Shadow' }).filter({ hasText: '12 / 12' }).waitFor({ timeout: 60_000 })
    await look('policies-rollout-shadow')
  })
  await step('and by shares of the players to live', async () => {
    for (const to of ['1 % of players', '10 % of players', '50 % of players', '100 % of players', 'Live']) await advance(to)
    await page.getByText('Live', { exact: true }).first().waitFor()
    await look('policies-rollout-live')
    const answer = await game.check('you are an idiot', { user_id: 'hero-2', scene_id: 'lobby' })
    assert.equal(answer.result.suggestion, 'block')
  })

  await step('the resolved view names the layer, and history brings back one version with a click', async () => {
    await go('/policies/resolved?scene_id=lobby')
    await page.getByRole('row').filter({ hasText: 'harassment' }).filter({ hasText: 'channel' }).first().waitFor()
    await page.getByRole('row').filter({ hasText: 'Loudness over 400 ms (LUFS)' }).filter({ hasText: '-8.5' }).waitFor()
    await page.getByLabel('Kind').selectOption('audio')
    await page.getByLabel('What it is for').selectOption('voice')
    await page.waitForFunction(() => location.hash.includes('use=voice'))
    await look('policies-resolved')
    await go('/policies/at/channel/lobby')
    await page.getByText('in force').first().waitFor()
    const sexual = page.getByRole('group', { name: 'Sexual', exact: true })
    await sexual.getByLabel(/Action/).selectOption('mask')
    await button('Put in force at once').click()
    await confirm('Put in force').click()
    await page.getByText('Version 2 is in force.').last().waitFor()
    await button('Bring back version 1').click()
    await confirm('Bring back').click()
    await page.getByText('Version 3 is in force.').last().waitFor()
    await page.getByText('return to version 1').waitFor()
  })

  await step('of two who change one version the second is told, with the difference', async () => {
    const other = await context.newPage()
    await other.goto(`${server.url}/console/#/policies/at/channel/lobby`)
    const violence = (p) => p.getByRole('group', { name: 'Violence', exact: true }).getByLabel(/Action/)
    await violence(other).selectOption('review')
    await violence(page).selectOption('mask')
    for (const p of [other, page]) {
      await p.getByRole('button', { name: 'Put in force at once' }).click()
      await p.getByRole('dialog').getByRole('button', { name: 'Put in force', exact: true }).click()
      if (p === other) await p.getByText('Version 4 is in force.').last().waitFor()
    }
    watch.forgive(/409/)
    await page.getByText('Somebody else has stored another version.').waitFor()
    await page.getByRole('row').filter({ hasText: 'Violence › Action' }).first().waitFor()
    await look('policies-conflict')
    await button('Keep mine over version 4').click()
    await button('Put in force at once').click()
    await confirm('Put in force').click()
    await page.getByText('Version 5 is in force.').last().waitFor()
    await other.close()
  })

  await step('the penalty ladder is written, told what is wrong with it, and put in force', async () => {
    await go('/policies/ladder')
    await page.getByRole('table', { name: 'What strikes come to' }).waitFor()
    await look('policies-ladder')
    const rung = (n) => page.getByRole('table', { name: 'What strikes come to' }).getByRole('row').nth(n)
    assert.match(await rung(2).innerText(), /Chat mute, 1 hr/)
    await page.getByRole('group', { name: 'Step 2' }).getByLabel('Hours').fill('2')
    assert.match(await rung(2).innerText(), /Chat mute, 2 hr/, 'what strikes come to is that of the ladder as it is written')
    await button('Add a step').click()
    const added = page.getByRole('group', { name: 'Step 10' })
    await added.getByLabel('From weight').fill('4')
    await added.getByLabel('Gives').selectOption('suspend')
    await added.getByLabel('Hours').fill('')
    await page.getByLabel('Add a layer').selectOption('channel/lobby')
    const lobby = page.getByRole('group', { name: 'Channel: lobby' })
    await lobby.getByLabel('Days for which a strike counts').fill('7')
    await button('Put in force at once').click()
    await confirm('Put in force').click()
    await page.getByText(/is required: a suspension ends/).waitFor()
    watch.forgive(/400/)
    await look('policies-ladder-faults')
    await page.getByRole('group', { name: 'Step 3' }).getByLabel('Hours').fill('12')
    await button('Put in force at once').click()
    await confirm('Put in force').click()
    await page.getByText('Version 1 is in force.').last().waitFor()
    const ladder = await game.call('GET', '/penalties/ladder')
    assert.deepEqual(ladder.steps.slice(1, 4).map((s) => [s.weight, s.kind, s.hours]), [[3, 'mute_text', 2], [4, 'suspend', 12], [5, 'mute_text', 24]])
    assert.deepEqual(ladder.layers, { 'channel/lobby': { window_days: 7 } })
    assert.equal(ladder.by, 'ada')
  })

  await step('a word list with tests is stored, and refused where a test fails', async () => {
    await go('/lists')
    await look('lists')
    await button('New list').click()
    await page.getByLabel('Name', { exact: true }).fill('house-words')
    await button('Open').click()
    await button('Add a word').first().click()
    await page.getByLabel('Word', { exact: true }).fill('zorkmid')
    await page.getByLabel(/^Must hit/).fill('buy z0rkm1d now')
    await page.getByLabel(/^Must pass/).fill('cheap zorkmid')
    await button('Take over').click()
    await button('Put in force at once').click()
    await confirm('Put in force').click()
    await page.getByRole('alert').filter({ hasText: /must_pass|zorkmid|\/prohibited/ }).first().waitFor()
    watch.forgive(/400/)
    await page.getByRole('grid', { name: 'Prohibited words' }).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByLabel(/^Must pass/).fill('zork')
    await button('Take over').click()
    await button('Put in force at once').click()
    await confirm('Put in force').click()
    await page.getByText('Version 1 is in force.').last().waitFor()
    await page.getByLabel('Text to try').fill('yоu stup1d ｆｕｃｋ')
    await button('Read it').click()
    await page.getByText('look-alike letters').first().waitFor()
    await page.getByText('full-width').first().waitFor()
    await look('lists-list')
  })

  await step('the ring is found, and followed from its alert to its bans', async () => {
    await go('/economy')
    await page.getByRole('link', { name: 'goldking' }).first().waitFor({ timeout: 90_000 })
    await look('economy-alerts')
    await page.getByRole('link', { name: 'goldking', exact: true }).first().click()
    await page.getByRole('heading', { name: 'Economy of goldking' }).waitFor()
    const king = page.getByRole('button', { name: /^goldking, risk/ })
    await king.waitFor()
    await page.getByRole('button', { name: /^farm-0, risk/ }).waitFor()
    await king.focus()
    const seen = new Set()
    for (const key of ['ArrowLeft', 'ArrowUp', 'ArrowRight', 'ArrowDown']) { await king.focus(); await page.keyboard.press(key); seen.add(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))) }
    assert.ok(seen.size >= 3, `the arrow keys reach ${[...seen]}`)
    await button('Choose all of high risk').click()
    await look('economy-player')
    await page.getByRole('button', { name: /^Ban \d+ player/ }).click()
    await page.getByLabel('Kind of ban').selectOption('permanent')
    await page.getByLabel('Reason', { exact: true }).fill('gold ring')
    await confirm('Ban').click()
    await page.getByText(/(are|is) banned\./).waitFor()
    const { bans } = await game.call('GET', '/economy/bans?status=active')
    assert.ok(bans.some((b) => b.player_id === 'goldking' && b.by === 'ada' && b.ban_type === 'permanent'), `bans: ${JSON.stringify(bans)}`)
    await page.getByRole('button', { name: /^goldking, risk .* banned/ }).waitFor()
  })

  await step('a ring of 200 accounts is a picture that can be read, and a table', async () => {
    await go('/economy/player/boss?hops=3&most=200')
    await page.waitForFunction(() => document.querySelectorAll('.web-node').length === 200)
    await look('economy-ring-200')
    const seen = await page.evaluate(() => {
      const spots = [...document.querySelectorAll('.web-node .web-knot')].map((k) => { const b = k.getBoundingClientRect(); return { x: b.x + b.width / 2, y: b.y + b.height / 2, r: Math.min(b.width, b.height) / 2 } })
      const names = [...document.querySelectorAll('.web-name')].map((n) => n.getBoundingClientRect())
      let over = 0
      for (let i = 0; i < spots.length; i++) for (let j = 0; j < i; j++) if (Math.hypot(spots[i].x - spots[j].x, spots[i].y - spots[j].y) < spots[i].r + spots[j].r) over++
      let words = 0
      for (let i = 0; i < names.length; i++) for (let j = 0; j < i; j++) if (names[i].left < names[j].right && names[j].left < names[i].right && names[i].top < names[j].bottom && names[j].top < names[i].bottom) words++
      return { over, words, names: names.length }
    })
    console.log(`   of 200 players ${seen.over} pairs overlap, of ${seen.names} names ${seen.words}`)
    assert.equal(seen.over, 0, 'players stand on each other')
    assert.ok(seen.names >= 5 && seen.words === 0, `${seen.words} of ${seen.names} names stand on each other`)
    const table = page.getByRole('figure').filter({ has: page.locator('svg.web') })
    await table.getByRole('button', { name: /^Table/ }).click()
    await page.getByRole('table', { name: 'Transfers around the player' }).getByRole('row').nth(20).waitFor()
  })

  await step('a risk is set by hand, seen where the player is, and taken back', async () => {
    const risk = () => game.call('GET', '/economy/risk-score?player_id=goldking')
    const { risk_score: model } = await risk()
    await go('/economy/player/goldking')
    await button('Set the risk by hand').focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Score (0–100)').fill('101')
    await page.getByText('A whole number from 0 to 100.').waitFor()
    assert.ok(await confirm('Set the risk').isDisabled())
    await page.getByLabel('Score (0–100)').fill('12')
    await page.getByLabel('For how long').selectOption({ label: '7 days' })
    await page.getByRole('dialog').getByText('normal').waitFor()
    await checkAxe(page, 'economy-override-dialog')
    await page.getByLabel('Reason', { exact: true }).fill('ギルドの金庫番だと確認した。取引は合意の上で、記録も全部そろっている。次の点検は来週。')
    await page.keyboard.press('Enter')
    await page.getByText(`Set by hand: 12 in place of ${model}, by ada`).waitFor()
    await look('economy-override')
    const set = (await risk()).override
    assert.deepEqual([set.score, set.by], [12, 'ada'])
    assert.ok(Math.abs(new Date(set.until) - Date.now() - 7 * 86_400_000) < 600_000, `until ${set.until}`)
    await go('/players/goldking')
    await page.getByText(`Set by hand: 12 in place of ${model}, by ada`).waitFor()
    await look('player-override')
    await button('Take it back').click()
    await page.getByLabel('Reason', { exact: true }).fill('not he')
    await confirm('Take it back').click()
    await page.getByText('What the model and the rules say counts again.').waitFor()
    await page.getByText('Set by hand').waitFor({ state: 'detached' })
    assert.equal((await risk()).override, undefined)
  })

  await step('a ban is lifted, and money and rules are looked at', async () => {
    await go('/economy/bans')
    await button('Lift: goldking').click()
    await page.getByLabel('Reason', { exact: true }).fill('appeal')
    await confirm('Lift').click()
    await page.getByText('The ban is lifted.').waitFor()
    await look('economy-bans')
    await go('/economy/money?days=1')
    await page.getByText('Currency: gold').waitFor({ timeout: 90_000 })
    await look('economy-money')
    await go('/economy/rules')
    await button('New rule').click()
    await page.getByLabel('Name', { exact: true }).fill('free_income')
    await confirm('Open').click()
    await page.locator('textarea.mono').first().fill('player.free_got > 5')
    await button('Back-test').click()
    await page.getByText('would be hit').first().waitFor({ timeout: 60_000 })
    await button('To shadow').click()
    await page.getByText('Version 1 is in force.').last().waitFor()
    await look('economy-rule')
  })

  await step('webhooks, people, fail rules and wellness', async () => {
    await go('/settings/webhooks')
    await button('Add an endpoint').click()
    await page.getByLabel('URL').fill('http://127.0.0.1:1/nobody')
    await confirm('Save').click()
    await page.getByRole('dialog').getByRole('alert').filter({ hasText: /./ }).first().waitFor()
    watch.forgive(/400/)
    await page.getByLabel('URL').fill('https://hooks.example.com/portcullis')
    await confirm('Save').click()
    assert.match(await page.getByLabel('https://hooks.example.com/portcullis').inputValue(), /^whsec_/)
    await button('I have kept it').click()
    await page.getByRole('link', { name: 'https://hooks.example.com/portcullis' }).click()
    await button('Send a test').click()
    await page.getByText('webhook.test').waitFor()
    await look('settings-webhooks')
    await go('/settings/people')
    await button('Add a person').click()
    await page.getByLabel('Name', { exact: true }).fill('mio')
    await confirm('Save').click()
    const link = await page.getByLabel('Link to set a password').inputValue()
    assert.match(link, /#\/password\?token=/)
    const mio = await (await browser.newContext({ locale: 'en-US' })).newPage()
    await mio.goto(link)
    await mio.getByRole('button', { name: 'Set the password' }).waitFor()
    for (const f of await mio.locator('input[type=password]').all()) await f.fill(password)
    await mio.getByRole('button', { name: 'Set the password' }).click()
    await mio.getByRole('heading', { name: 'Sign in' }).waitFor()
    await mio.context().close()
    await button('I have kept it').click()
    await page.getByText('mio', { exact: true }).waitFor()
    await look('settings-people')
    await go('/settings/fail')
    await page.getByLabel('Picture').selectOption('closed')
    await button('Save').click()
    await page.getByText(/Version \d+ is in force\./).last().waitFor()
    await look('settings-fail')
    await go('/settings/wellness')
    await page.getByLabel('Sexual').check()
    await button('Save').click()
    await page.getByText('Saved.').waitFor()
    await look('settings-wellness')
  })

  await step('the introduction is done', async () => {
    await go('/settings')
    await page.getByText('7 of 7 steps are done').waitFor()
    await look('settings-start')
  })

  await step('every language shows each screen without a missing text', async () => {
    for (const language of ['ja', 'zh-Hans', 'zh-Hant', 'ko']) {
      await page.evaluate((l) => localStorage.setItem('portcullis.prefs', JSON.stringify({ ...JSON.parse(localStorage.getItem('portcullis.prefs') ?? '{}'), language: l })), language)
      await page.reload()
      for (const place of ['/policies', '/policies/at/channel/lobby', '/lists', '/economy', '/settings']) {
        await go(place)
        await sleep(300)
        const raw = (await page.locator('#main').innerText()).match(/\b(policies|lists|economy|settings|common)\.[a-z_]+/g)
        assert.equal(raw, null, `${language} ${place}: ${raw}`)
      }
      await shots.all(page, `settings-${language}`)
    }
  })
  assert.deepEqual(unclean, [])
  // A layer, list or rule that is new is asked for and is not there yet; the second of two who
  // change one version is refused.
  watch.forgive(/409 .*\/policies\/channel\/lobby/)
  watch.forgive(/404 .*\/(policies\/channel\/lobby|lists\/house-words|rules\/free_income)/)
  watch.check()
} catch (err) {
  failed = err
  const page = browser.contexts()[0]?.pages()[0]
  if (page && process.env.PORTCULLIS_SHOTS) await page.screenshot({ path: `${process.env.PORTCULLIS_SHOTS}/failed.png`, fullPage: true }).catch(() => {})
  console.error(`at ${page?.url()}\n${(await page?.locator('#main').innerText().catch(() => ''))?.slice(0, 3000)}`)
} finally {
  await browser.close()
  await server.stop()
}
if (failed) { console.error(failed); process.exit(1) }
console.log(`all ${steps} steps`)
