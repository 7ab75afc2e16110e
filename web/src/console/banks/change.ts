import { http } from '../../lib/http'
import { useChange } from '../../lib/query'
import type { BankFound } from './parts'

/** What a change of a bank may set; all else stays as it is. */
export type Change = Partial<Pick<BankFound, 'state' | 'threshold' | 'least_quality' | 'sub_label' | 'note'>>

/** useBank stores a bank with a change, over the version that was seen. */
export function useBank(bank: BankFound, app: string) {
  return useChange((v: Change) => {
    const { category, sub_label, threshold, least_quality, state, note } = { ...bank, ...v }
    return http.put('/image-banks/{name}', {
      path: { name: bank.name }, query: { app_id: app, owner: bank.owner }, ifMatch: bank.version,
      body: { category, threshold, least_quality, state, ...(sub_label ? { sub_label } : {}), ...(note ? { note } : {}) },
    })
  }, ['/image-banks'])
}
