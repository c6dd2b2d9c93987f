import type { Skipped } from '../../contract/contract.ts'
import { countSkippedEach } from '../../kit/count-skipped.ts'
import type { TrytonApi } from './api.ts'
import type { Directory } from './directory.ts'
import { domainOfChildren } from './read-entities.ts'

/** What the reader never asks for: records of other modules, and what hangs on them. */
export function countSkipped(api: TrytonApi, directory: Directory): Promise<Skipped> {
  const installed = async (model: string) => {
    const isThere = (await api.count('ir.model', [['model', '=', model]])) > 0
    return isThere ? api.count(model, []) : 0
  }
  const elsewhere = async (model: 'ir.note' | 'ir.attachment') =>
    (await api.count(model, [])) - (await api.count(model, domainOfChildren(model, await directory.models())))
  return countSkippedEach({
    products: () => installed('product.template'),
    sales: () => installed('sale.sale'),
    invoices: () => installed('account.invoice'),
    notes_elsewhere: () => elsewhere('ir.note'),
    files_elsewhere: () => elsewhere('ir.attachment'),
  })
}
