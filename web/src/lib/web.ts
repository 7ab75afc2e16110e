// Where the players of a transfer web stand in its picture: gifts pull, players push,
// and whoever is a hop further out is drawn to a wider circle. The same web always
// looks the same (T. Fruchterman and E. Reingold, Graph drawing by force-directed
// placement, 1991; the start is a sunflower, so that nothing is by chance).
export interface Spot { x: number; y: number }
interface Knot { player_id: string; hops: number }
interface Gift { from: string; to: string; gave: number }

const golden = Math.PI * (3 - Math.sqrt(5))

/** Places from 0 to 1 in both directions, by player. */
export function layout(players: readonly Knot[], gifts: readonly Gift[], rounds = 160): Map<string, Spot> {
  const n = players.length
  const x = new Float64Array(n)
  const y = new Float64Array(n)
  const moveX = new Float64Array(n)
  const moveY = new Float64Array(n)
  const index = new Map(players.map((p, i) => [p.player_id, i]))
  const ideal = 1 / Math.sqrt(Math.max(n, 1))
  const rings = Math.max(1, ...players.map((p) => p.hops))
  for (let i = 0; i < n; i++) {
    const r = (0.5 * Math.sqrt(i)) / Math.sqrt(Math.max(n, 1))
    x[i] = r * Math.cos(i * golden)
    y[i] = r * Math.sin(i * golden)
  }
  const most = Math.max(1e-9, ...gifts.map((g) => g.gave))
  const pulls = gifts.flatMap((g) => {
    const a = index.get(g.from)
    const b = index.get(g.to)
    return a === undefined || b === undefined || a === b ? [] : [{ a, b, by: 0.5 + 0.5 * Math.sqrt(g.gave / most) }]
  })
  for (let round = 0; round < rounds; round++) {
    const heat = 0.12 * (1 - round / rounds) ** 1.5
    moveX.fill(0)
    moveY.fill(0)
    for (let i = 0; i < n; i++) {
      for (let j = i + 1; j < n; j++) {
        const dx = x[i]! - x[j]!
        const dy = y[i]! - y[j]!
        const d2 = Math.max(dx * dx + dy * dy, 1e-6)
        const f = (ideal * ideal) / d2
        moveX[i]! += dx * f; moveY[i]! += dy * f
        moveX[j]! -= dx * f; moveY[j]! -= dy * f
      }
    }
    for (const { a, b, by } of pulls) {
      const dx = x[a]! - x[b]!
      const dy = y[a]! - y[b]!
      const f = (by * Math.sqrt(dx * dx + dy * dy)) / ideal / 3
      moveX[a]! -= dx * f; moveY[a]! -= dy * f
      moveX[b]! += dx * f; moveY[b]! += dy * f
    }
    for (let i = 0; i < n; i++) {
      // Who is h hops away tends to the circle of h; who was asked about to the middle.
      const r = Math.max(Math.hypot(x[i]!, y[i]!), 1e-6)
      const want = (0.5 * players[i]!.hops) / rings
      moveX[i]! += (x[i]! / r) * (want - r) * 0.9
      moveY[i]! += (y[i]! / r) * (want - r) * 0.9
      const m = Math.max(Math.hypot(moveX[i]!, moveY[i]!), 1e-9)
      const step = Math.min(m, heat)
      x[i]! += (moveX[i]! / m) * step
      y[i]! += (moveY[i]! / m) * step
    }
  }
  return new Map(players.map((p, i) => [p.player_id, spread(x, y, i)]))
}

/** One place within the box of all. */
function spread(x: Float64Array, y: Float64Array, i: number): Spot {
  const one = (v: Float64Array) => {
    const lo = Math.min(...v)
    const hi = Math.max(...v)
    return hi - lo < 1e-9 ? 0.5 : (v[i]! - lo) / (hi - lo)
  }
  return { x: one(x), y: one(y) }
}

export type Way = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown'

/** The nearest player in a direction, for the arrow keys; the one itself where there is none. */
export function neighbour(spots: ReadonlyMap<string, Spot>, from: string, way: Way): string {
  const me = spots.get(from)
  if (!me) return from
  let best = from
  let least = Infinity
  for (const [id, s] of spots) {
    const dx = s.x - me.x
    const dy = s.y - me.y
    const [along, across] = way === 'ArrowLeft' ? [-dx, dy] : way === 'ArrowRight' ? [dx, dy] : way === 'ArrowUp' ? [-dy, dx] : [dy, dx]
    if (id === from || along <= 1e-9 || Math.abs(across) > along * 2) continue
    const far = along + 2 * Math.abs(across)
    if (far < least) { least = far; best = id }
  }
  return best
}
