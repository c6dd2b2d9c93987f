import { isNumberId } from '../../kit/find-ids.ts'
import { TrytonRefusal, unlessRefused } from './read-answer.ts'
import type { Tryton } from './tryton.ts'

/** Tryton's model for each entity. Pipelines and stages are fixed and have none. */
export const models: Record<string, string> = {
  tags: 'party.category',
  accounts: 'party.party',
  contacts: 'party.party',
  relationships: 'party.relation.all',
  deals: 'sale.opportunity',
  notes: 'ir.note',
  attachments: 'ir.attachment',
}

export const tellsDeleted = [...Object.keys(models), 'pipelines', 'stages']

/** Tryton lists a relation from both sides. The stored side has twice the relation's id. */
export const factorOf = (entity: string) => (entity === 'relationships' ? 2 : 1)

/** Finds archived records, too. */
export async function findIds(tryton: Tryton, entity: string, ids: readonly string[]): Promise<string[]> {
  const model = models[entity]
  if (model === undefined) return [...ids]
  const factor = factorOf(entity)
  const asked = ids.filter(isNumberId).map((id) => Number(id) * factor)
  const rows = asked.length === 0 ? [] : await tryton.search(model, [['id', 'in', asked]], { fields: [] })
  return rows.map(({ id }) => String(id / factor))
}

/**
 * Tryton gives the same answer for a missing record and for one that an access rule hides from the user. So a missing
 * record counts as deleted only if its model has no rules and the user may read the rules.
 */
export async function findGone(tryton: Tryton, entity: string, ids: readonly string[]): Promise<string[]> {
  const model = models[entity]
  if (model === undefined) return []
  const of = [['model.model', '=', model === 'party.relation.all' ? 'party.relation' : model]]
  const rules = await unlessRefused(() => tryton.call('model.ir.rule.group.search_count', [of]))
  if (rules instanceof TrytonRefusal || rules !== 0) return []
  const there = new Set(await findIds(tryton, entity, ids))
  return ids.filter((id) => isNumberId(id) && !there.has(id))
}
