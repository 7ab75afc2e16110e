// Draws the rows that all filters are asked about: rows.mjs OUT FILE...
import { createReadStream, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'

const [out, ...files] = process.argv.slice(2)
const split = process.env.SPLIT || ''
const limit = Number(process.env.LIMIT || 20000)
let rows = []
for (const file of files) {
  const raw = createReadStream(file)
  const input = file.endsWith('.gz') ? raw.pipe(createGunzip()) : raw
  raw.on('error', (err) => input.destroy(err))
  let number = 0
  try {
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      number++
      if (line.trim() === '') continue
      const row = JSON.parse(line)
      if (!split || row.split === split) rows.push(line)
    }
  } catch (err) {
    console.error(`bench-text-peers: ${file}:${number}: ${err.message}`)
    process.exit(1)
  }
}
if (limit > 0 && limit < rows.length) {
  // A small generator with a seed (mulberry32), so that a draw can be repeated.
  let state = Number(process.env.SEED || 1)
  const draw = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  for (let i = rows.length - 1; i > 0; i--) {
    const j = Math.floor(draw() * (i + 1))
    ;[rows[i], rows[j]] = [rows[j], rows[i]]
  }
  rows = rows.slice(0, limit)
}
if (rows.length === 0) {
  console.error('bench-text-peers: no rows are left')
  process.exit(1)
}
writeFileSync(out, rows.join('\n') + '\n')
