import type { TrytonApi } from './api.ts'
import { TrytonRefusal } from './tryton-refusal.ts'

/** Pipelines and stages are always the same. */
const models: Record<string, string> = {
  tags: 'party.category',
  accounts: 'party.party',
  contacts: 'party.party',
  relationships: 'party.relation.all',
  deals: 'sale.opportunity',
  notes: 'ir.note',
  attachments: 'ir.attachment',
}

export const tellsDeleted = [...Object.keys(models), 'pipelines', 'stages']

const isNumber = (id: string) => /^[1-9]\d{0,14}$/.test(id)
/** Relations are shown twice, the stored one under twice its id. */
const factorOf = (entity: string) => (entity === 'relationships' ? 2 : 1)

/** Archived records are found like any other. */
export async function findIds(api: TrytonApi, entity: string, ids: readonly string[]): Promise<string[]> {
  const model = models[entity]
  if (model === undefined) return [...ids]
  const factor = factorOf(entity)
  const asked = ids.filter(isNumber).map((id) => Number(id) * factor)
  const rows = asked.length === 0 ? [] : await api.search(model, [['id', 'in', asked]], { fields: [] })
  return rows.map(({ id }) => String(id / factor))
}

/**
 * Tryton answers in the same way for a record that does not exist and for one that a rule hides from the user. So a
 * record that is not found is gone only where no rule is made for its kind; where the user may not see the rules, or
 * there are some, nobody can tell.
 */
export async function findGone(api: TrytonApi, entity: string, ids: readonly string[]): Promise<string[]> {
  const model = models[entity]
  if (model === undefined || !(await isWithoutRules(api, model))) return []
  const there = new Set(await findIds(api, entity, ids))
  return ids.filter((id) => isNumber(id) && !there.has(id))
}

async function isWithoutRules(api: TrytonApi, model: string): Promise<boolean> {
  try {
    const of = [['model.model', '=', model === 'party.relation.all' ? 'party.relation' : model]]
    return (await api.call('model.ir.rule.group.search_count', [of])) === 0
  } catch (error) {
    if (error instanceof TrytonRefusal) return false
    throw error
  }
}
