import { useInfiniteQuery } from '@tanstack/react-query'
import { Button } from 'react-aria-components'
import { useText } from '../i18n/text'
import { explain } from '../lib/api'
import { http, type Answer, type Args, type PathOf } from '../lib/http'

type WithCursor = { cursor?: string | undefined }

/** Reads a list that is told in pages; `items` takes the rows out of one answer. */
export function usePages<P extends PathOf<'get'>, R>(path: P, args: Omit<Args<'get', P>, 'signal' | 'body'>, items: (a: Answer<'get', P>) => readonly R[], enabled = true) {
  const q = useInfiniteQuery({
    queryKey: [path, args.path ?? {}, args.query ?? {}, 'pages'],
    queryFn: ({ pageParam, signal }) => http.get(path, { ...args, query: { ...(args.query as object), cursor: pageParam || undefined }, signal } as Args<'get', P>),
    initialPageParam: '',
    getNextPageParam: (last) => (last as WithCursor).cursor || undefined,
    enabled,
  })
  return { ...q, rows: q.data?.pages.flatMap((p) => items(p)) }
}

interface More { hasNextPage: boolean; isFetchingNextPage: boolean; isFetchNextPageError: boolean; error: unknown; fetchNextPage: () => unknown }

/** Pager fetches the next page of usePages, where there is one. */
export function Pager({ of }: { of: More }) {
  const t = useText()
  if (!of.hasNextPage) return null
  return (
    <p className="pager">
      <Button className="button" isDisabled={of.isFetchingNextPage} onPress={() => void of.fetchNextPage()}>{of.isFetchingNextPage ? t('common.loading') : t('common.more')}</Button>
      {of.isFetchNextPageError && <span role="alert" className="form-alert">{explain(of.error)}</span>}
    </p>
  )
}
