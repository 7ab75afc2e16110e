// Typed calls of the HTTP API: paths, queries, bodies and answers are those of
// openapi.yaml. All go by the page's cookie, from the same origin.
import type { paths } from './api.gen'
import { request, requestUpload } from './api'

type Method = 'get' | 'post' | 'put' | 'delete'
/** The paths that have a method, without `/api/v1`. */
export type PathOf<M extends Method> = { [P in keyof paths]: P extends `/api/v1${infer Short}` ? (paths[P] extends { [K in M]: object } ? Short : never) : never }[keyof paths]
type Op<M extends Method, P extends string> = `/api/v1${P}` extends keyof paths ? (paths[`/api/v1${P}`] extends { [K in M]: infer O } ? O : never) : never

type Json<R> = R extends { content: { 'application/json': infer T } } ? T : never
type Answers<O> = O extends { responses: infer R } ? { [C in keyof R]: C extends 200 | 201 | 202 ? Json<R[C]> : never }[keyof R] : never
/** What a call answers where it succeeds. */
export type Answer<M extends Method, P extends string> = Answers<Op<M, P>>

type Part<O, K extends string> = O extends { parameters: infer A } ? (A extends { [X in K]?: infer V } ? Exclude<V, undefined> : never) : never
type Body<O> = O extends { requestBody?: { content: { 'application/json': infer B } } } ? B : never
export type Query = Record<string, string | number | boolean | readonly string[] | undefined>

/** What a call needs: what stands in its path, its query, its body. */
export interface Args<M extends Method, P extends string> {
  path?: Part<Op<M, P>, 'path'>
  query?: Part<Op<M, P>, 'query'> | Query
  body?: Body<Op<M, P>>
  signal?: AbortSignal | undefined
  /** Such as If-Match or Idempotency-Key. */
  headers?: Record<string, string>
  /** The version that is changed; 0 where there is none yet. */
  ifMatch?: number
}

/** The address below api/v1/, with its places and query filled in; what is undefined or '' is left out. */
export function address(path: string, inPath: Record<string, unknown> = {}, query: Record<string, unknown> = {}): string {
  const at = path.replace(/^\//, '').replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(inPath[name])))
  const q = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    for (const v of Array.isArray(value) ? value : [value]) if (v !== undefined && v !== null && v !== '') q.append(key, String(v))
  }
  return q.size ? `${at}?${q}` : at
}

function send<M extends Method, P extends string>(method: M, path: P, a: Args<M, P>): Promise<Answer<M, P>> {
  const url = address(path, a.path as Record<string, unknown>, a.query as Record<string, unknown>)
  return request<Answer<M, P>>(method.toUpperCase() as 'GET', url, a.body, a.signal, { ...a.headers, ...(a.ifMatch ? { 'If-Match': `"${a.ifMatch}"` } : {}) })
}

export const http = {
  get: <P extends PathOf<'get'>>(path: P, a: Args<'get', P> = {}) => send('get', path, a),
  post: <P extends PathOf<'post'>>(path: P, a: Args<'post', P> = {}) => send('post', path, a),
  put: <P extends PathOf<'put'>>(path: P, a: Args<'put', P> = {}) => send('put', path, a),
  /** Posts a file where JSON would stand. */
  upload: <P extends PathOf<'post'>>(path: P, a: Omit<Args<'post', P>, 'body'>, file: Blob, type = 'application/octet-stream') =>
    requestUpload<Answer<'post', P>>(address(path, a.path as Record<string, unknown>, a.query as Record<string, unknown>), file, type),
  delete: <P extends PathOf<'delete'>>(path: P, a: Args<'delete', P> = {}) => send('delete', path, a),
}
