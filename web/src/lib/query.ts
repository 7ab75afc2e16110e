// The console's one query client. Answers are kept while a screen stands and a
// little after; an ended session is noticed here, once, for all screens.
import { MutationCache, QueryCache, QueryClient, useMutation, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { ApiError, UNREACHABLE } from './api'
import { http, type Answer, type Args, type PathOf } from './http'

let ended = () => {}
/** Says what happens when the gateway no longer knows the cookie. */
export function onSessionEnded(f: () => void): void { ended = f }

function noticed(err: unknown): void {
  if (err instanceof ApiError && err.code === 1002) ended()
}

/** What may succeed on another try: nobody there, or a part that is missing for now. */
const passing = (err: unknown) => err instanceof ApiError && (err.code === UNREACHABLE || err.code === 2002)

export function newQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: noticed }),
    mutationCache: new MutationCache({ onError: noticed }),
    defaultOptions: {
      // A failed call is tried once more; then the person sees it and can try again.
      queries: { staleTime: 5000, gcTime: 60_000, retry: (n, err) => n < 1 && passing(err), retryDelay: 800, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  })
}

export interface ApiOptions { enabled?: boolean; every?: number; keep?: boolean }

/**
 * Reads a path of the API and keeps the answer by path and arguments. `every`
 * asks again in ms while the page is seen; `keep` shows the last answer while
 * other arguments are asked for.
 */
export function useApi<P extends PathOf<'get'>>(path: P, args: Omit<Args<'get', P>, 'signal' | 'body'> = {}, o: ApiOptions = {}): UseQueryResult<Answer<'get', P>, Error> {
  return useQuery<Answer<'get', P>, Error>({
    queryKey: [path, args.path ?? {}, args.query ?? {}],
    queryFn: ({ signal }) => http.get(path, { ...args, signal } as Args<'get', P>),
    enabled: o.enabled ?? true,
    ...(o.every ? { refetchInterval: o.every } : {}),
    ...(o.keep ? { placeholderData: (last) => last } : {}),
  })
}

/** Runs one change; afterwards every answer whose path begins with one of `touches` is asked for anew. */
export function useChange<V, R>(run: (v: V) => Promise<R>, touches: readonly string[] = []) {
  return useMutation<R, Error, V>({
    mutationFn: run,
    onSuccess: (_answer, _given, _before, { client }) => Promise.all(touches.map((t) => client.invalidateQueries({ predicate: (q) => String(q.queryKey[0]).startsWith(t) }))),
  })
}
