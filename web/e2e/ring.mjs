// The logs of a small economy with a ring of gold sellers in it.
const hour = 3_600_000
const day = 24 * hour

/**
 * The logs of a week: players who quest, buy and trade fairly, and a ring in which
 * accounts of one house earn day and night, mail all of it to mules, and those mail it
 * to a seller. The same every time but for when it ends.
 */
export function weekOfLogs(now = Date.now()) {
  const start = now - 7 * day - hour
  const gold = new Map()
  const currency = []
  const trade = []
  let n = 0
  const id = () => `e${String(++n).padStart(6, '0')}`
  const coin = (at, player, action, amount, source, more = {}) => {
    const sign = ['earn', 'transfer_in', 'purchase', 'grant'].includes(action) ? 1 : -1
    gold.set(player, (gold.get(player) ?? 0) + sign * amount)
    currency.push({ log_id: id(), timestamp: at, player_id: player, currency_type: 'gold', action, amount, balance_after: gold.get(player), source, ...more })
  }
  const give = (at, from, to, amount, kind) => {
    const t = id()
    trade.push({ log_id: t, trade_id: t, timestamp: at, sender_id: from, receiver_id: to, items: [], currency: { type: 'gold', amount }, trade_type: kind, status: 'completed' })
    coin(at, from, 'transfer_out', amount, kind, { counterparty_id: to, trade_id: t })
    coin(at + 1, to, 'transfer_in', amount, kind, { counterparty_id: from, trade_id: t })
  }
  const swap = (at, from, to, item, count, price) => {
    const t = id()
    trade.push({ log_id: t, trade_id: t, timestamp: at, sender_id: from, receiver_id: to, items: [{ item_id: item, count }], return_currency: { type: 'gold', amount: price }, trade_type: 'direct', status: 'completed' })
    coin(at, to, 'transfer_out', price, 'direct', { counterparty_id: from, trade_id: t })
    coin(at + 1, from, 'transfer_in', price, 'direct', { counterparty_id: to, trade_id: t })
  }
  const people = Array.from({ length: 40 }, (_, i) => `hero-${i}`)
  const farmers = Array.from({ length: 14 }, (_, i) => `farm-${i}`)
  const mules = ['mule-0', 'mule-1', 'mule-2']
  for (let d = 0; d < 7; d++) {
    const morning = start + d * day
    people.forEach((p, i) => {
      if ((i + d) % 3 === 2) return
      const at = morning + (8 + ((i * 7 + d * 3) % 14)) * hour
      for (let k = 0; k < 6; k++) coin(at + k * 700_000 + i * 991, p, 'earn', 120 + ((i * 37 + k * 53 + d * 11) % 90), ['quest', 'dungeon', 'daily'][k % 3], { device_id: `dev-${p}`, account_created_at: start - (200 + i) * day })
      coin(at + 2 * hour, p, 'spend', 200 + ((i * 13) % 150), ['repair', 'shop', 'travel'][i % 3], { device_id: `dev-${p}` })
      if (i % 4 === 0) swap(at + 3 * hour, p, people[(i + 5) % 40], 'ore', 5, 90)
    })
    farmers.forEach((f, i) => {
      for (let k = 0; k < 60; k++) coin(morning + k * 1_380_000 + i * 1009, f, 'earn', 60, 'farm', { device_id: `house-${i % 3}`, ip: 'house', account_created_at: start - day })
      give(morning + 23.5 * hour + i * 4001, f, mules[i % 3], 3500, 'mail')
    })
    mules.forEach((m, i) => give(morning + 23.8 * hour + i * 7001, m, 'goldking', 14_000, 'mail'))
    coin(morning + 23.9 * hour, 'goldking', 'spend', 100, 'travel', { device_id: 'dev-king' })
  }
  return { currency: currency.sort((a, b) => a.timestamp - b.timestamp), trade, ring: { farmers, mules, seller: 'goldking' } }
}

/** A ring of so many accounts: in cells of twenty, each giving to its mule, the mules to one boss. */
export function ringOf(accounts, now = Date.now()) {
  const trade = []
  const give = (at, from, to, amount) => trade.push({ log_id: `r${trade.length}`, trade_id: `r${trade.length}`, timestamp: at, sender_id: from, receiver_id: to, items: [], currency: { type: 'gold', amount }, trade_type: 'mail', status: 'completed' })
  const cells = Math.ceil((accounts - 1) / 20)
  for (let i = 0; i < accounts - 1; i++) {
    const at = now - 3 * hour + i * 1000
    if (i < cells) give(at, `cell-${i}`, 'boss', 9000)
    else give(at, `hand-${i}`, `cell-${i % cells}`, 300 + (i * 37) % 400)
  }
  return trade
}
