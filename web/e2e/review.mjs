// Moderators at work, against a real gateway: ten cases by keyboard alone, one taken
// back, an appeal answered by another person, evidence held; axe on each screen.
//
//   PORTCULLIS_BIN    the gateway, ../bin/portcullis by default
//   PORTCULLIS_SHOTS  folder for screenshots (none are taken without it)
//   CHROMIUM          the browser, /usr/bin/chromium by default
import assert from 'node:assert/strict'
import { chromium } from 'playwright-core'
import { checkAxe } from './axe.mjs'
import { Game } from './game.mjs'
import { password, startGateway } from './gateway.mjs'
import { flat } from './png.mjs'
import { Shots } from './shots.mjs'
import { Watch } from './watch.mjs'

const steps = []
const step = async (name, f) => {
  const from = Date.now()
  await f()
  steps.push(name)
  console.log(`ok ${steps.length} ${name} (${Date.now() - from} ms)`)
}

const insults = ['what an idiot', 'you are such a moron', 'shut up you loser', 'stupid noob, uninstall', 'you dumb clown', 'nobody likes you idiot', 'pathetic loser', 'what a stupid idiot you are', 'trash player, idiot', 'you idiot again', 'dumb idiot', 'such a loser, moron']
const talk = ['gg', 'push mid', 'need a healer here', 'well played', 'who has the key?', '今のいいね', '잠깐만요', 'go left', 'nice one', 'brb']

/** What a game sends in an evening: talk, insults, a report, a picture, a rejected message that is contested. */
async function evening(server) {
  const game = new Game(server)
  const hall = await game.scene('hall', 'ann', 'bob', 'cem')
  const say = async (who, what) => { await new Promise((r) => setTimeout(r, 230)); return hall[who].say(what) }
  const found = []
  for (let i = 0; i < insults.length; i++) {
    for (const w of talk.slice(0, 3)) await say(i % 2 ? 'ann' : 'cem', w)
    const v = await say('bob', insults[i])
    if (v.suggestion === 'review') found.push(v.request_id)
  }
  for (const w of talk) await say('ann', w)
  await game.call('POST', '/reports', { reporter_id: 'ann', player_id: 'bob', message_id: found[0], scene_id: 'hall', reason: 'harassment', detail: 'He does not stop. \u202eevil\u202c <b>bold</b>' })
  const paid = await game.call('POST', '/text/check', { user_id: 'gil', content: 'buy cheap gold at g0ld4u.com now' })
  assert.ok(paid.result.case_id, 'an offer makes a case')
  for (const p of Object.values(hall)) p.leave()
  return { game, found }
}

const server = await startGateway({ users: { mia: 'moderator', sue: 'senior', vic: 'viewer', root: 'admin' } })
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
})
let failed = null
try {
  const shots = new Shots(process.env.PORTCULLIS_SHOTS, [[1280, 800], [390, 844], [2560, 1300]])
  const world = await evening(server)
  const enter = async (name) => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: 'light', reducedMotion: 'reduce', locale: 'en-GB' })
    context.setDefaultTimeout(60_000)
    const watch = new Watch(context, server.url)
    const page = await context.newPage()
    await page.goto(`${server.url}/console/`)
    await page.getByLabel('Name').fill(name)
    await page.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Live feed' }).waitFor()
    return { page, watch, context }
  }
  const mia = await enter('mia')
  const { page } = mia
  const shown = () => page.locator('article[data-case]').getAttribute('data-case')

  await step('the queues say what waits, and what goes where', async () => {
    await page.goto(`${server.url}/console/#/queues`)
    await page.getByRole('heading', { name: 'Which queue takes what' }).waitFor()
    await page.getByRole('link', { name: 'Review this queue' }).first().waitFor()
    await checkAxe(page, 'queues')
    await shots.all(page, 'queues')
  })
  await step('a case is taken, with what stood around it, its hits and why', async () => {
    await page.goto(`${server.url}/console/#/review?queue=abuse`)
    await page.locator('article[data-case]').waitFor()
    await page.getByRole('timer').waitFor({ state: 'attached' })
    assert.ok(await page.locator('.talk-item mark').count(), 'the hit is marked')
    assert.ok(await page.locator('.talk-line').count() > 10, 'what stood around it is shown')
    await page.getByText('What it rests on').waitFor()
    await page.getByText('Insults, mobbing, humiliation', { exact: false }).waitFor()
    await checkAxe(page, 'review')
    await shots.all(page, 'review')
    await page.keyboard.press('x')
    await checkAxe(page, 'review, deciding')
    await shots.all(page, 'review-deciding')
    await page.keyboard.press('Escape')
  })
  const times = []
  await step('ten cases by keyboard alone, in at most four keystrokes each', async () => {
    const ways = [['x', 'Enter'], ['a', 'Enter'], ['2', 'Enter'], ['x', '3', 'Enter'], ['a', '2', 'Enter']]
    for (let i = 0; i < 10; i++) {
      const before = await shown()
      const keys = ways[i % ways.length]
      assert.ok(keys.length <= 4)
      await page.waitForTimeout(400) // a person reads; the next case is fetched meanwhile
      for (const k of keys.slice(0, -1)) await page.keyboard.press(k)
      await page.locator('form.decision').waitFor()
      times.push(await page.evaluate((was) => new Promise((ok) => {
        const from = performance.now()
        const look = () => (document.querySelector('article[data-case]')?.getAttribute('data-case') === was ? requestAnimationFrame(look) : requestAnimationFrame(() => ok(performance.now() - from)))
        document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
        look()
      }), before))
    }
    await page.getByText('10 decided').waitFor()
    times.sort((a, b) => a - b)
    console.log(`   from the key to the next case: median ${times[5].toFixed(0)} ms, slowest ${times[9].toFixed(0)} ms`)
  })
  await step('the last one is taken back, and decided again', async () => {
    const before = await shown()
    await page.keyboard.press('u')
    await page.getByText('9 decided').waitFor()
    await page.waitForFunction((was) => document.querySelector('article[data-case]')?.getAttribute('data-case') !== was, before)
    await page.keyboard.press('x')
    await page.keyboard.press('Enter')
    await page.getByText('10 decided').waitFor()
  })
  await step('put aside, escalated, skipped, by keys', async () => {
    await page.goto(`${server.url}/console/#/review`)
    await page.locator('article[data-case]').waitFor()
    await page.keyboard.press('h')
    await page.getByRole('dialog').getByLabel('Reason').fill('asks the team')
    await shots.all(page, 'review-hold')
    await checkAxe(page, 'review, put aside')
    await page.getByRole('dialog').getByRole('button', { name: 'Put aside' }).click()
    await page.getByText('Put aside.').waitFor()
    await page.locator('article[data-case]').waitFor()
    await page.keyboard.press('e')
    await page.getByRole('dialog').getByLabel('Reason').fill('for somebody with more say')
    await page.getByRole('dialog').getByRole('button', { name: 'Escalate' }).click()
    await page.getByText('Escalated.').waitFor()
    await page.locator('article[data-case]').waitFor()
    await page.keyboard.press('s')
    await page.getByRole('dialog').getByRole('button', { name: 'Skip' }).click()
    await page.getByText('No case waits for you').waitFor()
    await checkAxe(page, 'review, nothing waits')
  })
  await step('what a person sets for their own good is theirs alone', async () => {
    await page.getByRole('button', { name: 'Care' }).click()
    await page.getByLabel('Political').check()
    await checkAxe(page, 'care')
    await shots.all(page, 'care')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const own = await page.evaluate(async () => (await fetch('../api/v1/me/preferences')).json())
    assert.deepEqual(own.opt_out, ['political'])
  })
  await step('a new moderator finds how cases are worked on, with the keys as they are', async () => {
    await page.getByRole('link', { name: 'How it works' }).click()
    const guide = page.getByRole('region', { name: 'Working with cases' })
    await guide.getByText('submits and brings the next case').waitFor()
    assert.deepEqual(await guide.locator('kbd').evaluateAll((list) => list.slice(0, 5).map((k) => k.textContent)), ['?', 'B', 'L', 'A', 'X'])
    await checkAxe(page, 'guide')
    await shots.all(page, 'guide')
  })
  await step('a picture is blurred until it is asked for, and whoever saw it is on its chain', async () => {
    const file = flat(240, 160)
    await world.game.bank('shops', 'advertising', file)
    const { result } = await world.game.picture(file, { use: 'avatar', user_id: 'pia' })
    assert.ok(result.case_id, `a picture of a bank makes a case: ${JSON.stringify(result)}`)
    await page.goto(`${server.url}/console/#/review/${result.case_id}`)
    await page.getByRole('button', { name: 'Take it' }).click()
    await page.locator(`article[data-case="${result.case_id}"] .lease`).waitFor()
    const img = page.locator('.picture img')
    await img.waitFor()
    const look = () => img.evaluate((x) => ({ filter: getComputedStyle(x).filter, width: x.naturalWidth }))
    await page.waitForFunction(() => document.querySelector('.picture img')?.naturalWidth > 0)
    assert.match((await look()).filter, /blur\(12px\) grayscale\(1\)/)
    await shots.all(page, 'review-picture')
    await checkAxe(page, 'review, picture')
    await page.keyboard.press('b')
    assert.match((await look()).filter, /^grayscale\(1\)$/)
    await page.keyboard.press('g')
    assert.equal((await look()).filter, 'none')
    assert.equal((await look()).width, 240)
    world.picture = result.case_id
    await page.keyboard.press('a')
    await page.keyboard.press('Enter')
    await page.waitForFunction((was) => document.querySelector('article[data-case]')?.getAttribute('data-case') !== was, result.case_id)
  })
  const sue = await enter('sue')
  await step('an appeal is answered by another person than the first', async () => {
    const rejected = await page.evaluate(async () => (await (await fetch('../api/v1/cases?state=closed&limit=50')).json()).cases.find((c) => c.decision === 'reject' && c.kind === undefined))
    assert.ok(rejected, 'one was rejected')
    await world.game.call('POST', '/appeals', { player_id: rejected.player_id, case_id: rejected.case_id, statement: 'It was a joke between friends. \u202eevil' })
    const p = sue.page
    await p.goto(`${server.url}/console/#/appeals`)
    await p.getByText('It was a joke between friends.').waitFor()
    await checkAxe(p, 'appeals')
    await shots.all(p, 'appeals')
    await p.getByRole('link', { name: 'Answer the next appeal' }).click()
    await p.getByRole('heading', { name: 'What is contested' }).waitFor()
    await p.getByText('It plainly breaks the rule.').first().waitFor()
    await checkAxe(p, 'review, appeal')
    await shots.all(p, 'review-appeal')
    await p.keyboard.press('a')
    await p.getByLabel('To the player').fill('You were right; the decision is taken back.')
    await p.getByRole('button', { name: 'Uphold and next' }).click()
    await p.getByText('1 decided').waitFor()
    await p.goto(`${server.url}/console/#/appeals?state=upheld`)
    await p.getByText('You were right; the decision is taken back.').waitFor()
  })
  await step('evidence is found, held, and its chain holds', async () => {
    const p = sue.page
    await p.goto(`${server.url}/console/#/vault`)
    await p.getByRole('grid', { name: 'Evidence vault' }).getByRole('row').nth(1).click()
    await p.getByText('The chain holds').waitFor()
    await p.getByRole('button', { name: 'Put on hold' }).click()
    await p.getByRole('dialog').getByLabel('Reason').fill('asked for by a court')
    await p.getByRole('dialog').getByRole('button', { name: 'Put on hold' }).click()
    await p.getByText('asked for by a court').first().waitFor()
    const got = p.waitForEvent('download')
    await p.getByRole('button', { name: 'Read the content' }).click()
    await p.getByRole('dialog').getByRole('button', { name: 'Read and download' }).click()
    assert.match((await got).suggestedFilename(), /^evidence-/)
    await p.locator('.chain').getByText('sue').first().waitFor()
    await p.locator('.chain').getByText('read', { exact: true }).last().waitFor()
    await checkAxe(p, 'vault')
    await shots.all(p, 'vault')
    const zip = p.waitForEvent('download')
    await p.getByRole('button', { name: 'Export an archive' }).first().click()
    await p.getByRole('dialog').getByLabel('Reason').fill('for the court')
    await p.getByRole('dialog').getByRole('button', { name: 'Export an archive' }).click()
    assert.match((await zip).suggestedFilename(), /\.zip$/)
    const record = p.waitForEvent('download')
    await p.getByRole('button', { name: 'Record for an authority' }).click()
    await p.getByRole('textbox', { name: 'Authority' }).fill('Police of Somewhere')
    await p.getByRole('button', { name: 'Prepare' }).click()
    assert.match((await record).suggestedFilename(), /^record-.*json$/)
    await p.locator('.chain').getByText('record prepared').waitFor()
    await p.goto(`${server.url}/console/#/vault?case=${world.picture}`)
    await p.getByRole('grid', { name: 'Evidence vault' }).getByRole('row').nth(1).click()
    await p.locator('.chain').getByText('mia').first().waitFor()
  })
  await step('a break is proposed after long work, put off or taken, and covers everything', async () => {
    const long = () => page.evaluate(() => localStorage.setItem('portcullis.stretch', JSON.stringify({ since: Date.now() - 61 * 60_000, seen: Date.now(), later: 0 })))
    await long()
    await page.goto(`${server.url}/console/#/review`)
    await page.reload()
    const nudge = page.getByRole('status').filter({ hasText: /You have worked for 6\d minutes/ })
    await nudge.getByRole('button', { name: 'Later' }).click()
    await nudge.waitFor({ state: 'detached' })
    await long()
    await page.reload()
    await checkAxe(page, 'review, a break is due')
    await nudge.getByRole('button', { name: 'Take a break' }).click()
    await page.getByText('Everything is covered.').waitFor()
    assert.equal(await page.locator('article[data-case]').count(), 0, 'no case is seen on a break')
    await shots.all(page, 'review-break')
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByText('No case waits for you').waitFor()
    await nudge.waitFor({ state: 'detached' })
  })
  await step('several cases are handed over at once, and one by its key', async () => {
    await page.goto(`${server.url}/console/#/queues`) // the review screen would take what comes
    await page.getByRole('heading', { name: 'Which queue takes what' }).waitFor()
    const p = sue.page
    await p.goto(`${server.url}/console/#/queues?queue=abuse&state=open`)
    for (const words of ['what an idiot', 'you are such a moron', 'you dumb clown']) {
      const { result } = await world.game.check(words, { user_id: 'dex' })
      assert.ok(result.case_id, `an insult makes a case: ${JSON.stringify(result)}`)
      // Who hands over has the case.
      const claimed = await p.evaluate(async (id) => (await fetch(`../api/v1/cases/${id}/claim`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' })).status, result.case_id)
      assert.equal(claimed, 200)
    }
    await p.goto(`${server.url}/console/#/queues?owner=me`)
    await p.reload()
    const rows = p.getByRole('row').filter({ has: p.getByRole('link', { name: 'dex' }) })
    await rows.nth(2).waitFor()
    for (const row of await rows.all()) await row.getByLabel('Choose the case').check()
    await p.getByText('3 cases chosen').waitFor()
    await p.locator('#main').evaluate((m) => m.scrollTo(0, 0)) // a row half under the sticky head is no small target
    await checkAxe(p, 'queues, chosen')
    await shots.all(p, 'queues-chosen')
    await p.getByRole('button', { name: 'Hand over' }).click()
    await p.getByRole('dialog').getByLabel('To').selectOption('mia')
    await p.getByRole('dialog').getByRole('button', { name: 'Hand over' }).click()
    await p.getByText('3 of 3 done.').waitFor()
    await page.goto(`${server.url}/console/#/queues?owner=me`)
    await page.waitForFunction(() => document.querySelectorAll('input.choose').length >= 3)
    const [one] = await page.evaluate(async () => (await (await fetch('../api/v1/cases?state=claimed&assignee=me&limit=50')).json()).cases.filter((c) => c.player_id === 'dex').map((c) => c.case_id))
    await page.goto(`${server.url}/console/#/review/${one}`)
    await page.getByRole('button', { name: 'Go on with it' }).click()
    await page.locator(`article[data-case="${one}"] .lease`).waitFor()
    await page.keyboard.press('o')
    await page.getByRole('dialog').getByLabel('To').selectOption('sue')
    await checkAxe(page, 'review, hand over')
    await page.getByRole('dialog').getByLabel('Reason').fill('you know this player')
    await page.getByRole('dialog').getByRole('button', { name: 'Hand over' }).click()
    await page.getByText('Handed over.').waitFor()
    await p.goto(`${server.url}/console/#/review/${one}`)
    await p.getByRole('button', { name: 'Go on with it' }).waitFor()
    await p.getByText('you know this player').first().waitFor({ state: 'attached' }) // in the history, which is closed
    world.seen = one
  })
  await step('a viewer reads, and finds nothing to decide, punish or change', async () => {
    const vic = await enter('vic')
    const v = vic.page
    for (const gone of ['Policies', 'Lists and rules', 'Picture banks', 'Evidence vault', 'Audit log']) assert.equal(await v.getByRole('navigation').getByRole('link', { name: gone, exact: true }).count(), 0, `${gone} is offered`)
    await v.getByRole('row').filter({ hasText: 'Review' }).first().click()
    await v.getByRole('complementary').getByRole('link', { name: 'To the case' }).waitFor()
    const offers = (what) => v.getByRole('button', { name: what }).count()
    for (const act of ['Approve', 'Reject', /^Ban/]) assert.equal(await offers(act), 0, `the feed offers ${act}`)
    await v.goto(`${server.url}/console/#/review/${world.seen}`)
    await v.locator('article[data-case]').waitFor()
    for (const act of ['Take it', 'Go on with it', 'Release', 'Free it', 'Undo', /^Approve/, /^Reject/]) assert.equal(await offers(act), 0, `a case offers ${act}`)
    await checkAxe(v, 'case, viewer')
    await v.goto(`${server.url}/console/#/queues?state=pending`)
    await v.getByRole('table', { name: 'Cases' }).waitFor()
    assert.equal(await v.locator('input.choose').count(), 0, 'a viewer can pick cases')
    await v.goto(`${server.url}/console/#/players/dex`)
    await v.getByRole('heading', { name: 'Timeline' }).waitFor()
    for (const act of ['Give a penalty', 'Erase data', 'Set trust']) assert.equal(await offers(act), 0, `a player's page offers ${act}`)
    await v.goto(`${server.url}/console/#/image-banks`)
    await v.getByText('Your role may not see this').waitFor()
    await vic.watch.check()
    await vic.context.close()
  })
  await step('players’ reports', async () => {
    await page.goto(`${server.url}/console/#/player-reports?state=all`)
    await page.getByText('He does not stop.').waitFor()
    assert.equal(await page.locator('main b').count(), 0, 'a player’s words are never markup')
    await checkAxe(page, 'player reports')
    await shots.all(page, 'player-reports')
  })
  await step('no CSP violation, no console error, nothing fetched from elsewhere', async () => { await mia.watch.check(); await sue.watch.check() })
} catch (err) {
  failed = err
  console.error(err)
  for (const p of browser.contexts().flatMap((c) => c.pages())) console.error(p.url(), '\n', (await p.locator('body').innerText().catch(() => '')).slice(0, 3000))
} finally {
  await browser.close()
  await server.stop()
}
console.log(`${steps.length} passed, ${failed ? 1 : 0} failed`)
process.exit(failed ? 1 : 0)
