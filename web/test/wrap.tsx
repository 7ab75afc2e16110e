import { QueryClientProvider } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { newQueryClient } from '../src/lib/query'

/** What main.tsx puts around the console, with a query client of its own. */
export function Wrap({ children }: { children: ReactNode }) {
  const [client] = useState(newQueryClient)
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}
