// A threat that is said aloud, from the microphone to the moderator: a real browser sends
// a sound file as its microphone over WebRTC to a real gateway, the player is told, and
// in the console stands the case with its clip, which plays, and its words with times.
//
//   PORTCULLIS_BIN     the gateway, ../bin/portcullis by default
//   PORTCULLIS_MODELS  the folder of models, ../data/models by default; without those for
//                      sound there is nothing to test, and it says so (make models)
//   PORTCULLIS_SHOTS   folder for screenshots (none are taken without it)
//   CHROMIUM           the browser, /usr/bin/chromium by default
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { checkAxe } from './axe.mjs'
import { command, password, startGateway } from './gateway.mjs'
import { Shots } from './shots.mjs'
import { decoded, rate, wav } from './sound.mjs'
import { Watch } from './watch.mjs'

process.env.PORTCULLIS_AUDIO_WINDOW_DEADLINE = '1m' // a busy machine writes down slowly; this is no test of speed
process.env.PORTCULLIS_VOICE_SETUP = '1m'
process.env.PORTCULLIS_MODELS ??= fileURLToPath(new URL('../../data/models', import.meta.url))
const threat = fileURLToPath(new URL('../../internal/bench/sounds/threat.opus', import.meta.url))

const steps = []
const step = async (name, f) => {
  const from = Date.now()
  await f()
  steps.push(name)
  console.log(`ok ${steps.length} ${name} (${Date.now() - from} ms)`)
}

const missing = await lacking()
if (missing.length > 0) {
  console.log(`skipped: speech is not heard without ${missing.join(', ')} (make models)`)
  process.exit(0)
}
const server = await startGateway({ development: true, users: { mia: 'senior' } })
const folder = await mkdtemp(join(tmpdir(), 'portcullis-speak-'))
const microphone = join(folder, 'microphone.wav')
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
    // The file is opened when a page takes the microphone, and played again and again.
    '--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream', `--use-file-for-fake-audio-capture=${microphone}`,
  ],
})
let failed = null
try {
  const shots = new Shots(process.env.PORTCULLIS_SHOTS)
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: 'light', reducedMotion: 'reduce', locale: 'en-GB', permissions: ['microphone'] })
  context.setDefaultTimeout(120_000)
  const watch = new Watch(context, server.url)
  const demo = await context.newPage()
  const alice = demo.getByRole('region', { name: 'Alice’s screen' })
  const talk = alice.getByRole('button', { name: 'Talk as Alice' })
  const on = alice.getByText('The microphone is on.')
  const begin = async () => {
    for (let tries = 1; ; tries++) {
      await talk.click()
      await on.or(alice.getByText('The call did not connect.')).waitFor()
      if (await on.count()) return
      assert.ok(tries < 5, 'no call connects')
    }
  }

  await step('the demo takes the microphone, and says what becomes of the sound', async () => {
    await demo.goto(`${server.url}/demo/`)
    // Quiet around it, so that it is a sentence of its own however often it is played.
    await writeFile(microphone, wav(await decoded(demo, await readFile(threat)), { before: 2, after: 5 }))
    await alice.getByText('Connected').waitFor()
    await begin()
    assert.equal(await talk.getAttribute('aria-pressed'), 'true')
    await shots.all(demo, 'demo-talking')
    await checkAxe(demo, 'demo, talking')
  })
  await step('what was said aloud is found, and its player told: a category and no more', async () => {
    const told = alice.locator('.spoken').filter({ hasText: 'Violence' }).first()
    await told.waitFor({ timeout: 180_000 }) // the models load with the first call
    assert.doesNotMatch(await told.innerText(), /kill|%/i)
    await checkAxe(demo, 'demo, told')
    await shots.all(demo, 'demo-spoken')
  })
  await step('switched off, the browser lets go of the microphone', async () => {
    await talk.click()
    assert.equal(await talk.getAttribute('aria-pressed'), 'false')
    await on.waitFor({ state: 'detached' })
  })

  const page = await context.newPage()
  await step('the feed has it, with the words', async () => {
    await page.goto(`${server.url}/console/`)
    await page.getByLabel('Name').fill('mia')
    await page.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Live feed' }).waitFor()
    watch.forgive(/401/) // who is not signed in is told so
    await page.getByRole('row').filter({ hasText: 'alice' }).filter({ hasText: 'Violence' }).first().click()
    await page.getByRole('complementary').getByRole('link', { name: 'To the case' }).click()
  })
  await step('the case opens in review: its words with their times', async () => {
    await page.getByRole('button', { name: 'Take it' }).click()
    await page.locator('article[data-case] .lease').waitFor()
    await page.keyboard.press('b')
    const clip = page.locator('.audio-clip')
    await clip.waitFor()
    const words = await clip.locator('.audio-words [title]').evaluateAll((list) => list.map((w) => ({ text: w.textContent, at: w.getAttribute('title') })))
    assert.ok(words.some((w) => /kill/i.test(w.text)), `the threat is among the words: ${JSON.stringify(words)}`)
    assert.ok(words.every((w) => /^\d+:\d\d\.\d$/.test(w.at)) && new Set(words.map((w) => w.at)).size > 1, `each word has its time: ${JSON.stringify(words)}`)
    assert.ok(await clip.locator('.audio-words mark').count(), 'what was found is marked')
  })
  await step('the clip plays, and the threat is in it', async () => {
    const clip = page.locator('.audio-clip')
    const [sound] = await Promise.all([page.waitForResponse((r) => new URL(r.url()).pathname.endsWith('/content')), clip.getByRole('button', { name: 'Play', exact: true }).click()])
    assert.equal(sound.status(), 200)
    assert.match(sound.headers()['content-type'], /^audio\/wav/)
    await page.waitForFunction(() => { const a = document.querySelector('.audio-clip audio'); return a && a.readyState >= 2 && a.duration > 1 && a.currentTime > 0 })
    const pcm = await decoded(page, sound.url())
    const loudest = (from, to) => pcm.slice(from * rate, to * rate).reduce((top, v) => Math.max(top, Math.abs(v)), 0)
    const [from, to] = (await clip.locator('.audio-found button').first().innerText()).split(' to ').map((t) => t.split(':').reduce((s, part) => 60 * s + Number(part), 0))
    const all = `${from} to ${to} s of ${pcm.length / rate} s`
    assert.ok(to > from && to <= pcm.length / rate + 0.1, `what was found lies in the clip: ${all}`)
    assert.ok(loudest(from, to) > 0.05, `and is heard there: ${all}`)
    assert.ok(from < 2 || loudest(from - 2, from - 1) < loudest(from, to) / 2, `and not in the quiet before: ${all}`)
    await shots.all(page, 'review-clip')
    await checkAxe(page, 'review, clip')
  })
  await step('a mute ends a call that is on, and keeps the next one out', async () => {
    await begin()
    await page.goto(`${server.url}/console/#/players/alice`)
    await page.getByRole('button', { name: 'Give a penalty' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Penalty').selectOption('mute_voice')
    await dialog.getByLabel('Reason').fill('threats, said aloud')
    await dialog.getByRole('button', { name: 'Give a penalty' }).click()
    await alice.getByText('Your voice is muted').waitFor()
    assert.equal(await talk.getAttribute('aria-pressed'), 'false')
    await talk.click()
    await alice.getByText('voice is muted').and(alice.getByText('the player')).waitFor()
    await shots.all(demo, 'demo-voice-muted')
    await checkAxe(demo, 'demo, voice muted')
  })
  await step('no CSP violation, no console error, nothing fetched from elsewhere', async () => watch.check())
} catch (err) {
  failed = err
  console.error(err)
  for (const p of browser.contexts().flatMap((c) => c.pages())) console.error(p.url(), '\n', (await p.locator('body').innerText().catch(() => '')).slice(0, 3000))
  console.error(server.log().split('\n').slice(-20).join('\n'))
} finally {
  await browser.close()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}
console.log(`${steps.length} passed, ${failed ? 1 : 0} failed`)
process.exit(failed ? 1 : 0)

/** What is not there of what hears speech and writes it down. */
async function lacking() {
  const { stdout } = await command('models', 'list', '--json')
  const ready = (id) => JSON.parse(stdout).some((m) => m.id === id && m.state === 'ready')
  return ['onnxruntime', 'silero-vad', 'whisper-tiny-en'].filter((id) => !ready(id))
}
