// A game with a past, so that no screen stands empty: talk in several languages, offers,
// threats, a picture, reports, appeals, penalties, a week of money with a ring in it, and
// what its studio has set up. No two players are alike in length of name or number of words.
import { setTimeout as sleep } from 'node:timers/promises'
import { Game } from './game.mjs'
import { flat } from './png.mjs'
import { ringOf, weekOfLogs } from './ring.mjs'

const talk = ['gg', 'push mid', 'need a healer here', 'well played', 'who has the key?', '今のいいね', '잠깐만요', 'go left', 'اذهب إلى اليسار', 'nice one', 'brb', 'der Boss ist links, alle zu mir', 'あと一回だけ行こう']
const insults = ['what an idiot', 'you are such a moron', 'shut up you loser', 'stupid noob, uninstall', 'you dumb clown', 'nobody likes you idiot', 'pathetic loser', 'what a stupid idiot you are', 'trash player, idiot', 'dumb idiot', 'such a loser, moron']
const bad = ['kill yourself', 'buy cheap gold at g0ld4u.com now, fast delivery, whisper me', 'add me on discord cheapcoins#1234', '死ね', 'i will find you and hurt you']
/** Words and a name that run from right to left, with a number in them that must not wander. */
export const rightToLeft = 'قال لي (noob) 3 مرات: اخرج!'
const people = ['ann', 'bob', 'cem', 'dex', '花子', 'Zażółć_gęślą_jaźń_the_long_named', 'gil']

/** Fills the gateway by its API: game is a Game, desk a page in which an administrator is signed in. */
export async function fill(game, desk) {
  for (let i = 0; i < 60; i++) await game.check(talk[i % talk.length], { user_id: people[i % people.length], scene_id: ['hall', 'raid-7', 'trade'][i % 3] })
  const cases = []
  for (const [i, words] of [...insults, ...bad].entries()) {
    const { result } = await game.check(words, { user_id: people[(i * 3) % people.length], scene_id: 'hall' })
    if (result.case_id) cases.push(result.case_id)
  }
  const logo = flat(240, 160)
  await game.bank('logos', 'ip_infringement', logo)
  const { result: { case_id: picture } } = await game.picture(logo, { use: 'avatar', user_id: 'pia' })
  for (const [reporter, player, reason, detail] of [['bob', 'ann', 'harassment', 'He does not stop. \u202eevil\u202c <b>bold</b>'], ['ann', 'gil', 'spam', 'the same link again and again, for an hour, in every channel of the whole game, and nobody does anything about it'], ['cem', '花子', 'cheating', ''], ['سارة-٧', 'cem', 'harassment', rightToLeft]]) await game.call('POST', '/reports', { reporter_id: reporter, player_id: player, reason, detail, content: 'i will find you' })
  await game.call('POST', '/players/bob/penalties', { kind: 'mute_text', duration_hours: 24, reason: 'insults in the hall' })
  await game.call('POST', '/players/gil/penalties', { kind: 'suspend', duration_hours: 72, reason: 'sells gold' })
  await game.call('PUT', '/economy/players/ann/override', { score: 64, hours: 100, reason: 'her account was shared with a seller, who is gone; look again after the event' })
  const { currency, trade } = weekOfLogs()
  await game.submit('trade', trade)
  await game.submit('currency', currency)
  await game.submit('trade', ringOf(200))
  await game.call('PUT', '/lists/house', { description: 'Words of our own', prohibited: [{ term: 'zorkmid', category: 'spam', severity: 2, must_hit: ['zorkmid for sale'] }, { term: 'nerfherder', match: 'substring', category: 'harassment', severity: 1 }], exceptions: [{ term: 'night' }] })
  const closed = await desk.evaluate(async (ids) => {
    const send = async (path, body) => { const r = await fetch(`../api/v1${path}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }); if (!r.ok) throw new Error(`${path}: ${r.status} ${await r.text()}`); return r.json() }
    const done = []
    for (const [i, id] of ids.entries()) {
      const mine = await send(`/cases/${id}/claim`, {})
      done.push(await send(`/cases/${id}/decide`, { decision: i % 3 ? 'reject' : 'approve', version: mine.version, policy: 'community/harassment', reason: i % 3 ? 'It plainly breaks the rule.' : 'Friends among themselves.' }))
    }
    return done.map((c) => ({ case_id: c.case_id, player_id: c.player_id, decision: c.decision }))
  }, cases.slice(0, 6))
  for (const [i, c] of closed.filter((x) => x.decision === 'reject').slice(0, 2).entries()) await game.call('POST', '/appeals', { player_id: c.player_id, case_id: c.case_id, statement: ['It was a joke between friends. \u202eevil', '友達同士の冗談でした。もう一度見てください。'][i] })
  await game.call('PUT', '/policies/channel/trade', { categories: { spam: { action: 'block' } } })
  await desk.evaluate(async (app) => {
    const put = async (path, body, method = 'PUT') => { const r = await fetch(`../api/v1${path}`, { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }); if (!r.ok) throw new Error(`${path}: ${r.status} ${await r.text()}`) }
    await put(`/webhooks?app_id=${app}`, { webhooks: [{ url: 'https://hooks.example.com/portcullis', events: ['case.decided'] }] })
    await put(`/reports/schedules?app_id=${app}`, { schedules: [{ kind: 'operations', period: 'week' }] })
  }, game.app)
  // The economy's engine reads what it was sent, and asks for the cases of what it finds.
  for (let i = 0; i < 120; i++) {
    const found = await desk.evaluate(async (app) => (await (await fetch(`../api/v1/cases?app_id=${app}&kind=risk&state=pending`)).json()).cases?.length, game.app)
    if (found) break
    await sleep(500)
  }
  return { cases, picture, closed }
}

/** A gateway's game. */
export const gameOf = (server) => new Game(server)
