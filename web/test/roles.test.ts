import { expect, it } from 'vitest'
import go from '../../internal/auth/role.go?raw'
import { permissions } from '../src/lib/roles'

it('says of roles what the gateway does', () => {
  const id = new Map([...go.matchAll(/^\s(\w+)\s+Permission = "([\w.]+)"/gm)].map((m) => [m[1], m[2] as string]))
  const role = new Map([...go.matchAll(/^\s(Role\w+)\s+Role = "(\w+)"/gm)].map((m) => [m[1], m[2] as string]))
  const table = go.slice(go.indexOf('var permissions'))
  const want = Object.fromEntries([...table.matchAll(/^\s(\w+):\s+\{([^}]*)\}/gm)].map((m) => [id.get(m[1] as string), (m[2] as string).split(',').map((r) => role.get(r.trim()))]))
  expect(Object.keys(want).length).toBeGreaterThan(10)
  expect(permissions).toEqual(want)
})
