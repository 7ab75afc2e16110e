import { describe, expect, it } from 'vitest'
import { layout, neighbour } from '../src/lib/web'

/** Rings around one player: a star of stars, as a hub of mules and farmers is. */
function web(n: number) {
  const players = Array.from({ length: n }, (_, i) => ({ player_id: `p${i}`, hops: i === 0 ? 0 : i <= 12 ? 1 : 2 }))
  const gifts = players.slice(1).map((p, i) => ({ from: p.player_id, to: p.hops === 1 ? 'p0' : `p${1 + (i % 12)}`, gave: 1 + (i % 9) }))
  return { players, gifts }
}

describe('layout', () => {
  it('keeps 200 players apart', () => {
    const { players, gifts } = web(200)
    const spots = [...layout(players, gifts).values()]
    let close = 0
    for (let i = 0; i < spots.length; i++) for (let j = i + 1; j < spots.length; j++) if (Math.hypot(spots[i]!.x - spots[j]!.x, spots[i]!.y - spots[j]!.y) < 0.012) close++
    expect(close).toBeLessThan(6)
    for (const s of spots) { expect(s.x).toBeGreaterThanOrEqual(0); expect(s.x).toBeLessThanOrEqual(1) }
  })
  it('is the same each time', () => {
    const { players, gifts } = web(40)
    expect([...layout(players, gifts)]).toEqual([...layout(players, gifts)])
  })
  it('stands alone in the middle', () => expect(layout([{ player_id: 'a', hops: 0 }], []).get('a')).toEqual({ x: 0.5, y: 0.5 }))
})

describe('neighbour', () => {
  it('goes to the nearest in a direction', () => {
    const spots = new Map([['m', { x: 0.5, y: 0.5 }], ['l', { x: 0.2, y: 0.5 }], ['ll', { x: 0, y: 0.5 }], ['u', { x: 0.5, y: 0.1 }]])
    expect(neighbour(spots, 'm', 'ArrowLeft')).toBe('l')
    expect(neighbour(spots, 'l', 'ArrowLeft')).toBe('ll')
    expect(neighbour(spots, 'm', 'ArrowUp')).toBe('u')
    expect(neighbour(spots, 'm', 'ArrowRight')).toBe('m')
  })
  it('reaches every player from the first', () => {
    const { players, gifts } = web(60)
    const spots = layout(players, gifts)
    const seen = new Set(['p0'])
    const todo = ['p0']
    for (let id = todo.pop(); id; id = todo.pop()) for (const way of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'] as const) { const to = neighbour(spots, id, way); if (!seen.has(to)) { seen.add(to); todo.push(to) } }
    expect(seen.size).toBe(60)
  })
})
