import { customName } from '../db/mapping-changes.ts'
import type { Db } from '../db/open-database.ts'
import type { ForeseenLoss } from '../db/run-tables.ts'
import type { DescribedEntity } from '../mapping/describe-mapping.ts'
import { isDecidable } from '../warnings/decidable.ts'
import type { PortalLoss } from './mapping-contract.ts'

interface Survey {
  total: number | null
  looked_at: number
  losses: ForeseenLoss[]
}

/** The most records of an entity that a plan reads. If it read fewer, the source has no more. */
const looksAt = 1_000

/** Every kind of loss that a run of this entity would report. */
export function presentLosses(
  described: DescribedEntity,
  { total, looked_at, losses }: Survey,
  nameOf: (sourceUserId: string) => string,
  withheld: readonly { code: string; count: number }[] = [],
): PortalLoss[] {
  if (!described.is_included) return []
  const all = total ?? looked_at
  if (!described.is_taken) return all === 0 ? [] : [plain('entity_not_taken', all)]
  const labels = new Map(described.fields.map(({ name, label }) => [name, label]))
  const told = losses.map(({ code, field: behind, count, values = {}, examples }): PortalLoss => {
    const field = behind ?? fieldOf(code)
    return {
      ...plain(code, count),
      field,
      label: field === null ? null : (labels.get(field) ?? field),
      values: Object.entries(values)
        .sort(([, a], [, b]) => b - a)
        .map(([value, times]) => ({ value: isAboutPeople(code) ? nameOf(value) : value, count: times })),
      examples,
    }
  })
  const missing = looked_at < looksAt ? all - looked_at : 0
  return [
    ...told,
    ...(missing > 0 ? [plain('fewer_than_counted', missing)] : []),
    ...withheld.map(({ code, count }) => plain(code, count)),
  ]
}

const isAboutPeople = (code: string) => code.startsWith('user_')

/** Names of the people whom losses give by id. */
export async function findNames(db: Db, importId: string, entities: readonly { losses: ForeseenLoss[] }[]) {
  const about = entities.flatMap(({ losses }) => losses.filter(({ code }) => isAboutPeople(code)))
  const ids = [...new Set(about.flatMap(({ values = {} }) => Object.keys(values)))]
  const people =
    ids.length === 0
      ? []
      : await db
          .selectFrom('user_map')
          .select(['source_user_id', 'name'])
          .where('import_id', '=', importId)
          .where('source_user_id', 'in', ids)
          .execute()
  const names = new Map(people.map(({ source_user_id, name }) => [source_user_id, name]))
  return (sourceUserId: string) => names.get(sourceUserId) ?? sourceUserId
}

/** The field that a warning names by itself. */
function fieldOf(code: string): string | null {
  const [, custom, name] = /^(custom_)?field_not_taken:(.+)$/s.exec(code) ?? []
  if (name === undefined) return null
  return custom === undefined ? name : customName(name)
}

const plain = (code: string, count: number): PortalLoss => ({
  code,
  field: null,
  label: null,
  count,
  is_decidable: isDecidable(code),
  values: [],
  examples: [],
})
