import { QueryClientProvider } from '@tanstack/react-query'
import { act, useState, type ReactNode } from 'react'
import { newQueryClient } from '../src/lib/query'

/** What main.tsx puts around the console, with a query client of its own. */
export function Wrap({ children }: { children: ReactNode }) {
  const [client] = useState(newQueryClient)
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}

/** Waits until the page has stood still for some turns: answers that are there are shown then, however busy the machine is. */
export async function settle(): Promise<void> {
  let was = ''
  for (let turn = 0, still = 0; turn < 2000 && still < 30; turn++) {
    await act(async () => { await new Promise((ok) => setTimeout(ok, 1)) })
    const now = document.documentElement.outerHTML
    still = now === was ? still + 1 : 0
    was = now
  }
}
