import { Readable } from 'node:stream'
import type { Connector, CustomField, RecordPage } from '../../../service/src/connectors/contract/contract.ts'
import type { EntityDefinition, FieldDefinition, FieldType } from '../../../service/src/families/definition.ts'
import { entityOf, type Family, familyDefinitions } from '../../../service/src/families/index.ts'
import type { CustomFieldValue, FamilyRecord, FieldValue, RecordRef } from '../../../service/src/families/record.ts'
import { oddBytes, oddFileNames, oddOf } from './odd-family-values.ts'

// A source whose records are valid and odd: every field of every entity of a family, in turn with every odd value.

const people = ['u1', 'u2']
/** A page of the source. */
const pageSize = 100
/** Comments of the first ticket. */
export const manyComments = 600
/** Characters of the longest comment. */
const longest = 200_000

/** Choices that many tools take for the same: case, spaces, accents. */
export const alike = ['Gold', 'gold', ' gold ', 'GOLD', 'Göld', 'Gold-', 'Go ld']
const customTypes: Partial<Record<FieldType, string>> = {
  ...{ text: 'Code', long_text: 'Story', integer: 'Units', decimal: 'Weight', boolean: 'Checked' },
  ...{ date: 'Day', datetime: 'Moment', option: 'Level', url: 'Page' },
}
const hasCustom = (entity: string) => ['contacts', 'tickets', 'deals', 'accounts', 'organizations'].includes(entity)

const refsOf = (all: readonly FamilyRecord[], to: readonly string[]): RecordRef[] =>
  all.filter(({ entity }) => to.includes(entity)).map(({ entity, sourceId }) => ({ entity, sourceId }))

/** The records of a family. The same seed gives the same ones. */
export function oddRecords(family: Family, seed: number, perEntity = 12): FamilyRecord[] {
  const all: FamilyRecord[] = []
  for (const definition of familyDefinitions[family].entities) {
    const { name: entity } = definition
    for (let at = 0; at < perEntity; at += 1) all.push(recordOf(definition, all, seed, at))
    if (entity !== 'comments') continue
    const [ticket] = refsOf(all, ['tickets'])
    for (let at = 0; at < manyComments; at += 1) {
      const body = at === 7 ? `<p>${'long words '.repeat(longest / 11)}</p>` : `<p>Comment number ${at}</p>`
      const createdAt = new Date(Date.UTC(2021, 0, 1) + at * 60_000).toISOString()
      const fields = { ticket: ticket as RecordRef, body: { format: 'html' as const, body }, is_public: at % 2 === 0 }
      all.push({ entity, sourceId: `many-${at}`, createdAt, fields })
    }
  }
  return all
}

function recordOf(definition: EntityDefinition, all: readonly FamilyRecord[], seed: number, at: number): FamilyRecord {
  const { name: entity, fields } = definition
  const fieldsOf: FamilyRecord['fields'] = Object.fromEntries(
    Object.entries(fields).flatMap(([name, field], index): [string, FieldValue][] => {
      const value = fieldOf(entity, name, field, all, seed + at + index, at)
      return value === undefined ? [] : [[name, value]]
    }),
  )
  // A deal stands in the pipeline of its stage.
  const stage = all.find(
    (one) => one.entity === 'stages' && one.sourceId === (fieldsOf.stage as RecordRef | undefined)?.sourceId,
  )
  if (stage?.fields.pipeline) fieldsOf.pipeline = stage.fields.pipeline
  const [created, updated] = [oddOf('datetime', seed + at), oddOf('datetime', seed + at + 1)] as [string, string]
  return {
    entity,
    sourceId: `${entity}-${at}`,
    createdAt: created,
    updatedAt: updated,
    fields: fieldsOf,
    ...(hasCustom(entity) && { customFields: customOf(seed, at) }),
  }
}

function fieldOf(
  entity: string,
  name: string,
  { type, many, to = [], options = [] }: FieldDefinition,
  all: readonly FamilyRecord[],
  turn: number,
  at: number,
): FieldValue | undefined {
  if (name === 'file_name') return oddFileNames[at % oddFileNames.length]
  if (name === 'is_private' || name === 'is_public') return name === 'is_public'
  if (name === 'size') return oddBytes(at).length
  // Names by which tools know a record are its own.
  const isName = ['name', 'title', 'subject', 'slug', 'number', 'key'].includes(name)
  if (type === 'relation') {
    const targets = refsOf(all, to)
    const target = targets[turn % targets.length]
    return target && (many ? [target] : target)
  }
  if (type === 'user') return many ? people.map((userId) => ({ userId })) : { userId: people[turn % 2] as string }
  if (type === 'option') return options.length > 0 ? options[turn % options.length] : alike[turn % alike.length]
  if (type === 'email') {
    const all = [oddOf(type, at), oddOf(type, at + 1)].map((address) => ({ address: `${at}${address}` }))
    return many ? all : (all[0] as { address: string })
  }
  if (!many) return isName && type === 'text' ? `${oddOf(type, turn)} ${at}` : (oddOf(type, turn) as FieldValue)
  const several = [oddOf(type, turn), oddOf(type, turn + 1), oddOf(type, turn)]
  return (
    name === 'domains' ? [`odd-${entity}-${at}.example.com`, `xn--bcher-kva-${at}.example`] : several
  ) as FieldValue
}

const customOf = (seed: number, at: number): Record<string, CustomFieldValue> =>
  Object.fromEntries(
    Object.entries(customTypes).map(([type, label], index) => {
      const value = type === 'option' ? alike[(seed + at) % alike.length] : oddOf(type as FieldType, seed + at + index)
      const field = { label, type: type as FieldType, value: value as FieldValue }
      return [label, { ...field, ...(type === 'option' && { options: alike }) }]
    }),
  )

const customFields: CustomField[] = Object.entries(customTypes).map(([type, label]) => ({
  ...{ key: label, label, type: type as FieldType, many: false, options: type === 'option' ? alike : [] },
}))

/** The source of these records. `records` may change between runs. */
export const oddSource = (family: Family, records: readonly FamilyRecord[]): Connector => ({
  tool: `odd_${family}`,
  label: 'Odd',
  families: [family],
  movesBetweenInstances: false,
  source: {
    requires: ['instanceUrl', 'token'],
    checkAccount: async () => ({ name: 'Odd', id: 'odd' }),
    open: async () => ({
      count: async () => Object.fromEntries(familyDefinitions[family].entities.map(({ name }) => [name, null])),
      users: async () => ({
        items: people.map((id) => ({ id, name: `Person ${id}`, email: `${id}@example.com`, isActive: true })),
        next: null,
      }),
      customFields: async (entity) => (hasCustom(entity) ? customFields : []),
      async read(entity, cursor): Promise<RecordPage> {
        const all = records.filter((record) => record.entity === entity)
        const from = Number(cursor ?? 0)
        const next = from + pageSize < all.length ? String(from + pageSize) : null
        return { items: all.slice(from, from + pageSize), warnings: [], next }
      },
      async readSome(entity, wanted): Promise<RecordPage> {
        const parent = entityOf(family, entity).parent ?? ''
        const isWanted = ({ sourceId, fields }: FamilyRecord) => {
          if ('ids' in wanted) return wanted.ids.includes(sourceId)
          const ref = fields[parent] as RecordRef | undefined
          return wanted.parents.some((one) => one.entity === ref?.entity && one.sourceId === ref.sourceId)
        }
        const items = records.filter((record) => record.entity === entity && isWanted(record))
        return { items, warnings: [], next: null }
      },
      async openFile({ sourceId }) {
        const bytes = oddBytes(Number(sourceId.split('-')[1]))
        return { size: bytes.length, contentType: null, body: Readable.from([bytes], { objectMode: false }) }
      },
    }),
  },
})
