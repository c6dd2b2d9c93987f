import { isNumberId } from '../../kit/find-ids.ts'
import { TrytonRefusal, unlessRefused } from './read-answer.ts'
import type { Tryton } from './tryton.ts'

/** Pipelines and stages are always the same. */
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

/** Relations are shown twice, the stored one under twice its id. */
export const factorOf = (entity: string) => (entity === 'relationships' ? 2 : 1)

/** Archived records are found like any other. */
export async function findIds(tryton: Tryton, entity: string, ids: readonly string[]): Promise<string[]> {
  const model = models[entity]
  if (model === undefined) return [...ids]
  const factor = factorOf(entity)
  const asked = ids.filter(isNumberId).map((id) => Number(id) * factor)
  const rows = asked.length === 0 ? [] : await tryton.search(model, [['id', 'in', asked]], { fields: [] })
  return rows.map(({ id }) => String(id / factor))
}

/**
 * Tryton answers in the same way for a record that does not exist and for one that a rule hides from the user. So a
 * record that is not found is gone only where no rule is made for its kind; where the user may not see the rules, or
 * there are some, nobody can tell.
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
