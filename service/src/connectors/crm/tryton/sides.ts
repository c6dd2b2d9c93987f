import { createHash } from 'node:crypto'
import type { SideOutcome, SideRecord, SideRecords } from '../../contract/contract.ts'
import type { TrytonApi } from './api.ts'
import { all } from './directory.ts'
import { TrytonRefusal } from './tryton-refusal.ts'

// What records need besides themselves, made where Tryton has none: categories above a tag, relation types, countries.

const kinds = {
  party_categories: 'party.category',
  relation_types: 'party.relation.type',
  countries: 'country.country',
} as const
type SideKind = keyof typeof kinds

/** All of these are known by their name, so a name that changed is a change of people. */
const markOf = (name: string): string => createHash('sha256').update(name).digest('hex').slice(0, 32)

export async function createSide(
  api: TrytonApi,
  sides: SideRecords | undefined,
  kind: SideKind,
  { name, values }: { name: string; values: Record<string, unknown> },
): Promise<number> {
  const mark = markOf(name)
  const side = { kind, mark, destinationId: null, version: mark }
  await sides?.note(side)
  try {
    const [id = 0] = await api.create(kinds[kind], [values])
    await sides?.note({ ...side, destinationId: String(id) })
    return id
  } catch (error) {
    if (error instanceof TrytonRefusal) await sides?.forget(side)
    throw error
  }
}

/** The newest first: what stands below another was made after it. */
export async function removeSides(
  api: TrytonApi,
  records: readonly SideRecord[],
  isForced: boolean,
): Promise<SideOutcome[]> {
  const outcomes: SideOutcome[] = []
  for (const record of records) outcomes.push(await removeSide(api, record, isForced))
  return outcomes
}

async function removeSide(
  api: TrytonApi,
  { kind, mark, destinationId, version }: SideRecord,
  isForced: boolean,
): Promise<SideOutcome> {
  const model = kinds[kind as SideKind]
  const named = (await listNamed(api, kind as SideKind)).map(({ id, name }) => ({ id, mark: markOf(name) }))
  const found = named.find((one) => (destinationId === null ? one.mark === mark : String(one.id) === destinationId))
  if (!found) return { kind, mark, result: 'removed' }
  const place = { kind, mark, destinationId: String(found.id), url: api.urlOf(model, found.id) }
  const keep = (message: string): SideOutcome => ({ ...place, result: 'kept', message })
  const use = await findUse(api, kind as SideKind, found.id)
  if (use !== null) return keep(use)
  if (!isForced && found.mark !== version) return keep('People have renamed it since.')
  try {
    await api.remove(model, [found.id])
    return { kind, mark, result: 'removed' }
  } catch (error) {
    if (error instanceof TrytonRefusal) return keep(error.message)
    throw error
  }
}

async function listNamed(api: TrytonApi, kind: SideKind): Promise<{ id: number; name: string }[]> {
  if (kind === 'party_categories') {
    return (await all(api, 'party.category', [])).map(({ id, rec_name }) => ({ id, name: rec_name ?? '' }))
  }
  if (kind === 'relation_types') {
    return (await all(api, 'party.relation.type', [])).map(({ id, name }) => ({ id, name: name ?? '' }))
  }
  return (await all(api, 'country.country', [])).map(({ id, code, name }) => ({
    id,
    name: `${code ?? ''} ${name ?? ''}`,
  }))
}

async function findUse(api: TrytonApi, kind: SideKind, id: number): Promise<string | null> {
  const isUsed = async (model: string, field: string) => (await api.count(model, [[field, '=', id]])) > 0
  if (kind === 'party_categories') {
    if (await isUsed('party.party', 'categories')) return 'There are parties in this category.'
    return (await isUsed('party.category', 'parent')) ? 'There are other categories below this one.' : null
  }
  if (kind === 'relation_types') {
    return (await isUsed('party.relation.all', 'type')) ? 'Parties are related in this way.' : null
  }
  if (await isUsed('country.subdivision', 'country')) return 'There are subdivisions of this country.'
  return (await isUsed('party.address', 'country')) ? 'There are addresses in this country.' : null
}
