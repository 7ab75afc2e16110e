// Calls of the HTTP API by cookie, from the same origin. URLs are relative to
// the page (/console/ or /demo/), so that a prefix in front of both is kept.
import type { components } from './api.gen'
import { text } from '../i18n/text'
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

export function failureOf(status: number, body: Partial<Failure>, headers: Headers): ApiError {
  const wait = body.retry_after_ms ?? Number(headers.get('Retry-After') ?? 0) * 1000
  return new ApiError(
    body.code ?? 2001, status, body.message ?? `HTTP ${status}`, body.request_id ?? headers.get('X-Request-Id') ?? '',
    Number.isFinite(wait) ? wait : 0, body.errors ?? [],
  )
}

/** One call; http.ts has it with the types of the contract. */
export async function request<T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown, signal?: AbortSignal, headers: Record<string, string> = {}): Promise<T> {
  let res: Response
  try {
    res = await fetch(new URL(path, base()), {
      method,
      credentials: 'same-origin',
      cache: 'no-store',
      ...(method === 'GET' ? { headers } : { headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body ?? {}) }),
      signal: signal ? AbortSignal.any([signal, AbortSignal.timeout(15_000)]) : AbortSignal.timeout(15_000),
    })
  } catch (err) {
    if (signal?.aborted) throw err
    throw new ApiError(UNREACHABLE, 0, text('common.unreachable'))
  }
  if (!res.ok) throw failureOf(res.status, ((await res.json().catch(() => ({}))) ?? {}) as Partial<Failure>, res.headers)
  if (res.status === 204) return {} as T
  try {
    return (await res.json()) as T
  } catch (err) { // an answer that breaks off is none
    if (signal?.aborted) throw err
    throw new ApiError(UNREACHABLE, 0, text('common.unreachable'))
  }
}

/** A file of the API, such as a stored report, as text. */
export async function requestText(path: string, signal?: AbortSignal): Promise<string> {
  const res = await fetch(new URL(path, base()), { credentials: 'same-origin', cache: 'no-store', ...(signal ? { signal } : {}) })
  if (!res.ok) throw failureOf(res.status, ((await res.json().catch(() => ({}))) ?? {}) as Partial<Failure>, res.headers)
  return res.text()
}

/** A file of the API, such as evidence, as bytes. It may be large, and takes as long as that. */
export async function requestBlob(path: string, signal?: AbortSignal): Promise<Blob> {
  let res: Response
  try {
    res = await fetch(new URL(path, base()), { credentials: 'same-origin', cache: 'no-store', ...(signal ? { signal } : {}) })
  } catch (err) {
    if (signal?.aborted) throw err
    throw new ApiError(UNREACHABLE, 0, text('common.unreachable'))
  }
  if (!res.ok) throw failureOf(res.status, ((await res.json().catch(() => ({}))) ?? {}) as Partial<Failure>, res.headers)
  return res.blob()
}

/** Sends a file as it is, such as a list of hashes. It may be large, and takes as long as that. */
export async function requestUpload<T>(path: string, file: Blob, type: string): Promise<T> {
  let res: Response
  try {
    res = await fetch(new URL(path, base()), { method: 'POST', credentials: 'same-origin', cache: 'no-store', headers: { 'Content-Type': type }, body: file })
  } catch {
    throw new ApiError(UNREACHABLE, 0, text('common.unreachable'))
  }
  const body: unknown = await res.json().catch(() => ({}))
  if (!res.ok) throw failureOf(res.status, (body ?? {}) as Partial<Failure>, res.headers)
  return body as T
}

/** What is said of a case: the rule and the reason always, the category where the case has none. */
export interface Decision { decision: 'approve' | 'reject'; policy: string; reason: string; category?: string }

export interface DemoSession { ticket: string; expires_in: number; scenes: Scene[] }

export const api = {
  /** Who is signed in; an ApiError 1002 where nobody is. */
  me: async (signal?: AbortSignal): Promise<Moderator> => {
    const a = await request<Partial<Moderator> & { setup_needed?: boolean; request_id?: string }>('GET', 'auth/me', undefined, signal)
    if (a.name && a.role) return { name: a.name, role: a.role }
    throw new ApiError(1002, 200, 'Nobody is signed in.', a.request_id, 0, [], a.setup_needed === true)
  },
  setup: (token: string, name: string, password: string) => request<Moderator>('POST', 'auth/setup', { token, name, password }),
  login: (name: string, password: string) => request<Moderator>('POST', 'auth/login', { name, password }),
  logout: () => request<object>('POST', 'auth/logout'),
  status: (signal?: AbortSignal) => request<Status>('GET', 'status', undefined, signal),
  models: (signal?: AbortSignal) => request<Models>('GET', 'models', undefined, signal),
  openCases: (limit: number, signal?: AbortSignal) =>
    request<{ cases: Case[] }>('GET', `cases?state=pending&limit=${limit}`, undefined, signal),
  /** Decides a case under the version that was seen; where none was told (0), under the one that stands now. */
  decide: async (id: string, said: Decision, version: number): Promise<void> => {
    const seen = version || (await api.openCases(200)).cases.find((c) => c.case_id === id)?.version
    if (!seen) throw new ApiError(1007, 409, 'The case is not open any more.')
    await request<object>('POST', `cases/${encodeURIComponent(id)}/decide`, { ...said, version: seen })
  },
  demoSession: (player: string, scene?: string) =>
    request<DemoSession>('POST', 'demo/session', scene ? { player_id: player, scene_id: scene } : { player_id: player }),
  demoExplain: (content: string, scene: string | undefined, signal: AbortSignal) =>
    request<{ explanation: Explanation }>('POST', 'demo/explain', { content, ...(scene ? { scene_id: scene } : {}) }, signal),
}

/** What a person can do about a failure, in one sentence. */
export function explain(err: unknown): string {
  if (!(err instanceof ApiError)) return text('common.broken')
  switch (err.code) {
    case UNREACHABLE: return text('common.unreachable_try')
    case 1001: return err.errors.map((e) => `${e.pointer.replace(/^\//, '')}: ${e.reason}`).join('; ') || err.message
    case 1003: return text('common.too_many', { seconds: Math.max(1, Math.ceil(err.retryAfterMs / 1000)) })
    case 1004: return text('common.forbidden')
    case 1007: return text('common.conflict')
    case 2002: return text('common.unavailable')
    default: return err.message
  }
}
