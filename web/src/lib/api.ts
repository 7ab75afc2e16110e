// Calls of the HTTP API by cookie, from the same origin. URLs are relative to
// the page (/console/ or /demo/), so that a prefix in front of both is kept.
import type { components } from './api.gen'
import type { Case, Explanation, Models, Moderator, Scene, Status } from './wire'

type Failure = components['schemas']['Failure']

export class ApiError extends Error {
  constructor(
    readonly code: number,
    readonly status: number,
    message: string,
    readonly requestId = '',
    readonly retryAfterMs = 0,
    readonly errors: { pointer: string; reason: string }[] = [],
    readonly setupNeeded = false,
  ) {
    super(message)
    this.name = 'ApiError'
  }
}

/** Code of an answer that never came: the gateway can't be reached. */
export const UNREACHABLE = -1

const base = () => new URL('../api/v1/', document.baseURI)

/** The stream's address, with the scheme that belongs to the page's. */
export function streamURL(): string {
  const u = new URL('stream', base())
  u.protocol = u.protocol === 'https:' ? 'wss:' : 'ws:'
  return u.toString()
}

function failure(status: number, body: Partial<Failure>, headers: Headers): ApiError {
  const wait = body.retry_after_ms ?? Number(headers.get('Retry-After') ?? 0) * 1000
  return new ApiError(
    body.code ?? 2001, status, body.message ?? `HTTP ${status}`, body.request_id ?? headers.get('X-Request-Id') ?? '',
    Number.isFinite(wait) ? wait : 0, body.errors ?? [],
  )
}

async function call<T>(method: 'GET' | 'POST', path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  let res: Response
  try {
    res = await fetch(new URL(path, base()), {
      method,
      credentials: 'same-origin',
      cache: 'no-store',
      ...(method === 'POST' ? { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body ?? {}) } : {}),
      signal: signal ?? AbortSignal.timeout(15_000),
    })
  } catch (err) {
    if (signal?.aborted) throw err
    throw new ApiError(UNREACHABLE, 0, 'The gateway cannot be reached.')
  }
  const data: unknown = await res.json().catch(() => ({}))
  if (!res.ok) throw failure(res.status, (data ?? {}) as Partial<Failure>, res.headers)
  return data as T
}

export interface DemoSession { ticket: string; expires_in: number; scenes: Scene[] }

export const api = {
  /** Who is signed in; an ApiError 1002 where nobody is. */
  me: async (signal?: AbortSignal): Promise<Moderator> => {
    const a = await call<Partial<Moderator> & { setup_needed?: boolean; request_id?: string }>('GET', 'auth/me', undefined, signal)
    if (a.name && a.role) return { name: a.name, role: a.role }
    throw new ApiError(1002, 200, 'Nobody is signed in.', a.request_id, 0, [], a.setup_needed === true)
  },
  setup: (token: string, name: string, password: string) => call<Moderator>('POST', 'auth/setup', { token, name, password }),
  login: (name: string, password: string) => call<Moderator>('POST', 'auth/login', { name, password }),
  logout: () => call<object>('POST', 'auth/logout'),
  status: (signal?: AbortSignal) => call<Status>('GET', 'status', undefined, signal),
  models: (signal?: AbortSignal) => call<Models>('GET', 'models', undefined, signal),
  openCases: (limit: number, signal?: AbortSignal) =>
    call<{ cases: Case[] }>('GET', `cases?state=pending&limit=${limit}`, undefined, signal),
  /** Decides a case under the version that was seen; where none was told (0), under the one that stands now. */
  decide: async (id: string, decision: 'approve' | 'reject', reason: string, version: number): Promise<void> => {
    const seen = version || (await api.openCases(200)).cases.find((c) => c.case_id === id)?.version
    if (!seen) throw new ApiError(1007, 409, 'The case is not open any more.')
    await call<object>('POST', `cases/${encodeURIComponent(id)}/decide`, { decision, reason, version: seen })
  },
  demoSession: (player: string, scene?: string) =>
    call<DemoSession>('POST', 'demo/session', scene ? { player_id: player, scene_id: scene } : { player_id: player }),
  demoExplain: (content: string, scene: string | undefined, signal: AbortSignal) =>
    call<{ explanation: Explanation }>('POST', 'demo/explain', { content, ...(scene ? { scene_id: scene } : {}) }, signal),
}

/** What a person can do about a failure, in one sentence. */
export function explain(err: unknown): string {
  if (!(err instanceof ApiError)) return 'Something went wrong on this page. Reload it and try again.'
  switch (err.code) {
    case UNREACHABLE: return 'The gateway cannot be reached. Check that it runs and try again.'
    case 1001: return err.errors.map((e) => `${e.pointer.replace(/^\//, '')}: ${e.reason}`).join('; ') || err.message
    case 1003: return `Too many tries. Wait ${Math.max(1, Math.ceil(err.retryAfterMs / 1000))} s and try again.`
    case 1004: return 'Your role does not permit this.'
    case 1007: return 'Somebody else changed this in the meantime.'
    case 2002: return 'A part that this needs is not available at the moment. Try again shortly.'
    default: return err.message
  }
}
