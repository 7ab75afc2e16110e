import type { ReactNode } from 'react'
import { ChevronIcon } from './icons'

/**
 * Fold shows and hides what stands below it. It is no button element: those are dead in a
 * fieldset that is disabled, and who may only read looks into everything too.
 */
export function Fold({ open, onOpen, children, className = 'link-button small' }: { open: boolean; onOpen: (open: boolean) => void; children: ReactNode; className?: string }) {
  return (
    <span role="button" tabIndex={0} aria-expanded={open} className={className} onClick={() => onOpen(!open)}
      onKeyDown={(e) => { if (e.key === 'Enter' || e.key === ' ') { e.preventDefault(); onOpen(!open) } }}>
      <ChevronIcon size={13} />{children}
    </span>
  )
}
