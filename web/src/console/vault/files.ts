import { ApiError, failureOf, UNREACHABLE } from '../../lib/api'
import { text } from '../../i18n/text'

/** Asks the API for a file and has the browser keep it; a refusal is an ApiError, in words. */
export async function download(method: 'GET' | 'POST', path: string, body?: unknown): Promise<void> {
  let res: Response
  try {
    res = await fetch(new URL(path, new URL('../api/v1/', document.baseURI)), {
      method, credentials: 'same-origin', cache: 'no-store',
      ...(method === 'GET' ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body ?? {}) }),
    })
  } catch {
    throw new ApiError(UNREACHABLE, 0, text('common.unreachable'))
  }
  if (!res.ok) throw failureOf(res.status, await res.json().catch(() => ({})), res.headers)
  const name = /filename="([^"]+)"/.exec(res.headers.get('Content-Disposition') ?? '')?.[1] ?? 'evidence'
  keep(await res.blob(), name)
}

/** Has the browser keep a file. */
export function keep(file: Blob, name: string): void {
  const a = document.createElement('a')
  a.href = URL.createObjectURL(file)
  a.download = name
  a.click()
  setTimeout(() => URL.revokeObjectURL(a.href), 10_000)
}
