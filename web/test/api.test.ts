import { afterEach, expect, test, vi } from 'vitest'
import { ApiError, request, UNREACHABLE } from '../src/lib/api'

afterEach(() => { vi.unstubAllGlobals() })
const answers = (body: string | null, status: number) => vi.stubGlobal('fetch', () => Promise.resolve(new Response(body, { status })))

test('an answer that breaks off is none, not an empty one', async () => {
  answers('{"components":[', 200)
  const err = await request('GET', 'status').catch((e: unknown) => e)
  expect(err).toBeInstanceOf(ApiError)
  expect((err as ApiError).code).toBe(UNREACHABLE)
})

test('an answer without a body says that there is none', async () => {
  answers(null, 204)
  expect(await request('DELETE', 'cases/c1')).toEqual({})
})

test('a fault whose body breaks off keeps its status', async () => {
  answers('{"co', 503)
  expect(await request('GET', 'status').catch((e: ApiError) => e.status)).toBe(503)
})
