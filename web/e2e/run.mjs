// From typing in the demo to the row in the feed, in a real browser.
//
//   PORTCULLIS_URL        http://127.0.0.1:8080 of a gateway that offers the demo
//   PORTCULLIS_SETUP_URL  the one-time setup link that it printed
//   PORTCULLIS_SHOTS      folder for screenshots (none are taken without it)
//   CHROMIUM              the browser, /usr/bin/chromium by default
//
// Without the first two it runs against the mock server of this folder, which
// proves the pages alone.
import assert from 'node:assert/strict'
import { chromium } from 'playwright-core'
import { checkAxe } from './axe.mjs'
import { Shots } from './shots.mjs'
import { Watch } from './watch.mjs'

const clean = `hello there ${Date.now() % 10000}`
const abusive = 'k i l l y o u r s e l f'
const doubtful = 'what an idiot'
const password = 'a long enough passphrase'

const steps = []
const step = async (name, f) => {
  const from = Date.now()
  await f()
  steps.push(name)
  console.log(`ok ${steps.length} ${name} (${Date.now() - from} ms)`)
}

async function target() {
  const { PORTCULLIS_URL: url, PORTCULLIS_SETUP_URL: setup } = process.env
  if (url && setup) return { url: url.replace(/\/$/, ''), setup, stop: async () => {} }
  if (url || setup) throw new Error('set both PORTCULLIS_URL and PORTCULLIS_SETUP_URL, or neither')
  const { startMock } = await import('./mock/server.mjs')
  return startMock()
}

const server = await target()
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
})
let failed = null
try {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: 'light', reducedMotion: 'reduce' })
  context.setDefaultTimeout(60_000)
  const watch = new Watch(context, server.url)
  const shots = new Shots(process.env.PORTCULLIS_SHOTS)
  const feed = await context.newPage()
  const rows = feed.getByRole('row').filter({ has: feed.getByRole('gridcell') })

  await step('a wrong setup link is refused in words', async () => {
    await feed.goto(`${server.url}/console/#/setup?token=not-the-token`)
    await fillSetup(feed)
    await feed.getByRole('alert').filter({ hasText: 'not valid any more' }).waitFor()
    watch.forgive(/40[019]/)
  })
  await step('the setup link makes the first administrator and signs in', async () => {
    await feed.goto('about:blank')
    await feed.goto(server.setup)
    await shots.all(feed, 'setup')
    await checkAxe(feed, 'setup')
    await fillSetup(feed)
    await feed.getByRole('heading', { name: 'Live feed' }).waitFor()
    assert.ok(!feed.url().includes('token='), 'the token left the address')
  })
  await step('signing out, a wrong password and signing in', async () => {
    await feed.getByRole('button', { name: 'Sign out' }).click()
    await feed.getByRole('heading', { name: 'Sign in' }).waitFor()
    await signIn(feed, 'not the password at all')
    await feed.getByRole('alert').filter({ hasText: 'not right' }).waitFor()
    await shots.all(feed, 'sign-in')
    await checkAxe(feed, 'sign-in')
    watch.forgive(/401/)
    await signIn(feed, password)
    await feed.getByRole('heading', { name: 'Live feed' }).waitFor()
  })
  await step('the feed is live, and empty', async () => {
    await feed.getByText('Live', { exact: true }).waitFor()
    await feed.getByText('Waiting for the first message').waitFor()
    await feed.getByText('State in memory').waitFor()
    await shots.all(feed, 'feed-empty')
    await checkAxe(feed, 'feed, empty')
  })

  const demo = await context.newPage()
  const pane = (name) => demo.getByRole('region', { name: `${name}’s screen` })
  const say = async (name, text) => {
    await demo.getByLabel(`Message as ${name}`).fill(text)
    await demo.getByRole('button', { name: `Send as ${name}` }).click()
  }
  const scene = (name) => demo.getByRole('radio', { name }).check({ force: true })

  await step('the demo connects two players', async () => {
    await demo.goto(`${server.url}/demo/`)
    await pane('Alice').getByText('Connected').waitFor()
    await pane('Bob').getByText('Connected').waitFor()
    await scene('Real-time block')
    await checkAxe(demo, 'demo, empty')
  })
  await step('a clean message arrives with its verdict', async () => {
    await say('Alice', clean)
    await pane('Alice').getByText('Delivered', { exact: true }).waitFor()
    await pane('Bob').getByText(clean).waitFor()
  })
  await step('an abusive one is blocked and does not arrive', async () => {
    await say('Alice', abusive)
    await pane('Alice').getByText('Blocked', { exact: true }).waitFor()
    await say('Alice', 'and on we go')
    await pane('Bob').getByText('and on we go').waitFor()
    assert.equal(await pane('Bob').getByText(abusive).count(), 0, 'Bob must not see the blocked message')
  })
  await step('masking, deferred review and monitor only do what they say', async () => {
    await scene('Masking')
    await say('Alice', 'you idiot, that was mine')
    await pane('Alice').getByText('Masked', { exact: true }).waitFor()
    await pane('Bob').getByText('*****').waitFor()
    assert.equal(await pane('Bob').getByText('idiot').count(), 0, 'Bob must not see the masked word')
    await scene('Deferred review')
    await say('Alice', abusive)
    await pane('Alice').getByText('Taken back', { exact: true }).waitFor()
    await pane('Bob').getByText('Taken back by the moderation').waitFor()
    await scene('Monitor only')
    await say('Alice', abusive)
    await pane('Bob').getByText(abusive).waitFor()
  })
  await step('pre-review holds until a moderator approves', async () => {
    await scene('Pre-review')
    await say('Alice', doubtful)
    await pane('Alice').getByText('Held for a moderator').waitFor()
    assert.equal(await pane('Bob').getByText(doubtful).count(), 0, 'Bob must not see what is held')
    await shots.all(demo, 'demo-held')
    await checkAxe(demo, 'demo')
    await demo.getByRole('region', { name: 'What the moderators see' }).getByRole('button', { name: 'Approve' }).first().click()
    await pane('Bob').getByText(doubtful).waitFor()
  })
  await step('the box says what a verdict would rest on', async () => {
    const box = demo.getByRole('region', { name: 'Look inside a verdict' })
    await box.getByLabel('Text to look into').fill(abusive)
    await box.getByText('Blocked', { exact: true }).waitFor()
    await box.locator('mark').first().waitFor()
    await shots.all(demo, 'demo-inside')
    await checkAxe(demo, 'demo, look inside')
    await box.getByLabel('Text to look into').fill(clean)
    await box.getByText('Pass', { exact: true }).waitFor()
    assert.equal(await pane('Bob').getByText(abusive).count(), 0, 'nobody is sent what is looked into')
  })
  // Only the mock can cut a connection; the gateway's own tests cover the real thing.
  if (server.cut) await step('the demo resumes a lost connection', async () => {
    await scene('Real-time block')
    server.cut()
    await pane('Alice').getByText(/Reconnecting/).waitFor()
    await pane('Alice').getByText('Connected').waitFor()
    await say('Bob', 'still here')
    await pane('Alice').getByText('still here').waitFor()
    watch.forgive(/WebSocket/)
  })
  await scene('Real-time block')
  await shots.all(demo, 'demo')

  await step('the row is in the feed, its content hidden until it is asked for', async () => {
    await feed.bringToFront()
    const row = rows.filter({ hasText: 'Blocked' }).filter({ hasText: 'demo-realtime' }).first()
    await row.waitFor()
    await shots.all(feed, 'feed')
    assert.ok(!(await feed.locator('main').innerText()).includes(abusive), 'the content is hidden')
    await row.click()
    const details = feed.getByRole('complementary', { name: 'Details of the verdict' })
    await details.waitFor()
    await feed.keyboard.press('b')
    await details.getByText(abusive).waitFor()
    assert.ok(await details.locator('mark').count(), 'the hit is marked')
    assert.match(await details.innerText(), /\d+\s?%/, 'moderators see confidences')
    await shots.all(feed, 'feed-details')
    await checkAxe(feed, 'feed, details')
  })
  await step('keys: close, move, pause, go on, search; the filter is in the URL', async () => {
    await feed.keyboard.press('Escape')
    await feed.keyboard.press('Escape')
    await feed.keyboard.press('j')
    assert.equal(await feed.locator('[aria-selected="true"]').count(), 1)
    await feed.keyboard.press('Escape')
    await feed.locator('main').focus()
    await feed.keyboard.press('Space')
    await feed.getByText('Paused', { exact: true }).waitFor()
    await say('Bob', 'while you were paused')
    await feed.getByRole('button', { name: /Show 1 new/ }).click()
    await feed.getByText('Live', { exact: true }).waitFor()
    await feed.keyboard.press('/')
    await feed.keyboard.type('while you')
    await feed.waitForURL(/q=while\+you/)
    await feed.waitForFunction(() => document.querySelectorAll('[role="row"][aria-selected]').length === 1)
    await feed.reload()
    await feed.getByText('Nothing matches the filter').waitFor()
    assert.equal(await feed.getByLabel('Search in the content').inputValue(), 'while you')
    await feed.getByRole('button', { name: 'Clear the filter' }).click()
    await feed.keyboard.press('?')
    await feed.getByRole('dialog').waitFor()
    await shots.all(feed, 'help')
    await checkAxe(feed, 'help')
    await feed.keyboard.press('Escape')
  })
  await step('health says what is detected and what is not', async () => {
    await feed.getByRole('link', { name: 'Health' }).click()
    await feed.getByRole('heading', { name: 'What is detected in pictures' }).waitFor()
    await feed.getByRole('rowheader', { name: 'Child safety' }).waitFor()
    await shots.all(feed, 'health-models')
    await checkAxe(feed, 'health')
  })
  await step('no CSP violation, no console error, nothing fetched from elsewhere', async () => watch.check())
} catch (err) {
  failed = err
  console.error(err)
  // What each page said in words, so that a failure can be understood from the log.
  for (const page of browser.contexts().flatMap((c) => c.pages())) console.error(page.url().replace(/token=.*/, 'token=…'), '\n', await page.locator('body').innerText().catch(() => ''))
} finally {
  await browser.close()
  await server.stop()
}
console.log(`${steps.length} passed, ${failed ? 1 : 0} failed`)
process.exit(failed ? 1 : 0)

async function fillSetup(page) {
  await page.getByLabel('Name').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Password again').fill(password)
  await page.getByRole('button', { name: 'Create and sign in' }).click()
}

async function signIn(page, pw) {
  await page.getByLabel('Name').fill('admin')
  await page.getByLabel('Password').fill(pw)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
