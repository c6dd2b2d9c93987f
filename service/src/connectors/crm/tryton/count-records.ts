import type { Skipped } from '../../contract/contract.ts'
import { countEach } from '../../kit/count-each.ts'
import { countSkippedEach } from '../../kit/count-skipped.ts'
import { inChunks } from '../../kit/in-chunks.ts'
import { once } from '../../kit/once.ts'
import { loadKinds } from './load-names.ts'
import type { Kind } from './party-kind.ts'
import { domainOfChildren } from './read-entities.ts'
import { states } from './states.ts'
import type { Tryton } from './tryton.ts'

const atOnce = 1_000
/** Each party must be read to tell people from organisations. Above this number, counting would take too long. */
const mostParties = 20_000

export function countRecords(tryton: Tryton, only?: string): Promise<Record<string, number | null>> {
  const parties = once(() => countParties(tryton))
  const counters = {
    tags: () => tryton.count('party.category', []),
    pipelines: async () => 1,
    stages: async () => states.length,
    accounts: async () => (await parties()).accounts,
    contacts: async () => (await parties()).contacts,
    relationships: async () => ((await tryton.has('party.relation.all')) ? countRelations(tryton) : 0),
    deals: async () => ((await tryton.has('sale.opportunity')) ? tryton.count('sale.opportunity', []) : 0),
    notes: () => countChildren(tryton, 'ir.note'),
    attachments: () => countChildren(tryton, 'ir.attachment'),
  }
  return countEach(counters, only)
}

const countChildren = async (tryton: Tryton, model: 'ir.note' | 'ir.attachment') =>
  tryton.count(model, await domainOfChildren(tryton, model))

async function countParties(tryton: Tryton): Promise<Record<Kind, number | null>> {
  if ((await tryton.count('party.party', [])) > mostParties) return { accounts: null, contacts: null }
  const ids = (await tryton.every('party.party', [])).map(({ id }) => id)
  const kinds = await inChunks(ids, atOnce, async (some) => [...(await loadKinds(tryton, some)).values()])
  const countOf = (wanted: string) => kinds.filter((kind) => kind === wanted).length
  return { accounts: countOf('accounts'), contacts: countOf('contacts') }
}

/** Tryton lists a relation twice if its type has a reverse. */
async function countRelations(tryton: Tryton): Promise<number> {
  const { byId } = await tryton.relationTypes()
  const oneWay = [...byId.values()].filter(({ reverse }) => !reverse).map(({ id }) => id)
  const shown = await tryton.count('party.relation.all', [])
  const shownOnce = oneWay.length === 0 ? 0 : await tryton.count('party.relation.all', [['type', 'in', oneWay]])
  return (shown + shownOnce) / 2
}

/** Counts records that the reader never reads: records of other modules, and their notes and files. */
export function countSkipped(tryton: Tryton): Promise<Skipped> {
  const installed = async (model: string) =>
    (await tryton.count('ir.model', [['model', '=', model]])) > 0 ? tryton.count(model, []) : 0
  const elsewhere = async (model: 'ir.note' | 'ir.attachment') =>
    (await tryton.count(model, [])) - (await countChildren(tryton, model))
  return countSkippedEach({
    products: () => installed('product.template'),
    sales: () => installed('sale.sale'),
    invoices: () => installed('account.invoice'),
    notes_elsewhere: () => elsewhere('ir.note'),
    files_elsewhere: () => elsewhere('ir.attachment'),
  })
}
