import type { WriteLoss } from '../../warnings/codes.ts'
import type {
  CountOthers,
  DestinationDescription,
  DestinationEntity,
  FoundRecord,
  OutgoingContent,
  OutgoingFile,
  OutgoingRecord,
  RemovableRecord,
  RemoveOutcome,
  SoughtRecord,
  StoredContent,
  Upload,
  WriteOutcome,
  Writer,
} from '../contract/contract.ts'
import type { Entity } from './entity.ts'
import { type FindRules, findRecords } from './find.ts'
import type { RawRecord } from './lens.ts'
import { openNames } from './name-people.ts'
import { refuseOddKeys } from './odd-keys.ts'
import { once } from './once.ts'
import { orRefused } from './outcomes.ts'
import { type RemoveRules, removeRecords } from './remove.ts'
import { asStored, describeEntity, type Offer } from './write-record.ts'

/** How records are found and deleted. Records that are deleted together with their parents have no removal rules. */
export type Lookup<R extends RawRecord = RawRecord> = FindRules<R> & Omit<RemoveRules<R>, 'toFound'>

/** One entity of a destination, with everything that can be done with its records. */
export interface WrittenEntity {
  /** The entity's fields in this account. A function if people may add fields during an import. */
  declared: Entity<never> | (() => Promise<Entity<never>>)
  /** Further parts of the entity's description. */
  offer?: Offer | (() => Promise<Offer>)
  /** Not set for files, which are written with their bytes. */
  write?(records: OutgoingRecord[]): Promise<WriteOutcome[]>
  writeFile?(file: OutgoingFile): Promise<WriteOutcome>
  uploadFile?(file: OutgoingFile): Promise<Upload | null>
  /** Called once per call of `find` or `remove`, with the records of that call. */
  look?(sought: readonly SoughtRecord[]): Lookup | Promise<Lookup>
  /** Replaces `look` for records that are found in another way. */
  find?(sought: SoughtRecord[]): Promise<FoundRecord[]>
  remove?(records: RemovableRecord[], countOthers?: CountOthers): Promise<RemoveOutcome[]>
  /** The form that is compared, if the lenses alone do not define it. */
  asStored?(content: OutgoingContent): StoredContent | Promise<StoredContent>
  /** The losses that `write` tells of a record which is then found as `asStored` says. */
  lossesOf?(record: OutgoingRecord, found: FoundRecord): readonly WriteLoss[] | Promise<readonly WriteLoss[]>
}

export interface WriterRules extends Pick<Writer, 'users' | 'preflight' | 'restore' | 'removeSides'> {
  /** Describes the account without its entities. */
  describe(): Promise<Omit<DestinationDescription, 'entities'>>
  /** The entities that this account accepts. Called once; it also reads the facts about the account that they need. */
  entities(): Promise<Readonly<Record<string, WrittenEntity>>>
  /** The tool has no field for a person: people in custom fields are written and compared by their names. */
  namesPeople?: true
}

const rowKeys = 'declared offer write writeFile uploadFile look find remove asStored lossesOf'.split(' ')

/** Makes a writer from a table of entities. */
export function openWriter(label: string, { describe, entities, namesPeople, ...rest }: WriterRules): Writer {
  const names = namesPeople && openNames(rest.users)
  const table = once(async () => {
    const rows = await entities()
    for (const [name, row] of Object.entries(rows)) refuseOddKeys(`the row of ${name}`, row, rowKeys)
    return rows
  })
  const take = async <P extends keyof WrittenEntity>(name: string, part: P) => {
    const entity = (await table())[name]
    if (!entity) throw new Error(`${label} takes no ${name}`)
    return { entity, act: entity[part] }
  }
  const lookUp = async ({ look }: WrittenEntity, name: string, sought: readonly SoughtRecord[]) => {
    if (!look) throw new Error(`${label} does not look up ${name} by themselves`)
    return look(sought)
  }
  return {
    ...rest,
    async describe() {
      const account = await describe()
      const described: [string, DestinationEntity][] = []
      for (const [name, entity] of Object.entries(await table())) {
        const offer = typeof entity.offer === 'function' ? await entity.offer() : entity.offer
        described.push([name, describeEntity(await declarationOf(entity), offer)])
        const { deliveryClass } = { ...account.capabilities, ...offer?.capabilities }
        if (deliveryClass === 'A') await requireUpsert(name, entity)
      }
      return { ...account, entities: Object.fromEntries(described) }
    },
    async write(name, records) {
      const { act } = await take(name, 'write')
      if (!act) throw new Error(`${label} takes ${name} with their bytes`)
      if (records.length === 0) return []
      return act(names ? await Promise.all(records.map(names.inRecord)) : records)
    },
    async writeFile(name, file) {
      try {
        const { act } = await take(name, 'writeFile')
        if (!act) throw new Error(`${label} has no files that are ${name}`)
        return await orRefused(file.key, () => act(file), file.destinationId === null)
      } finally {
        file.body.destroy()
      }
    },
    async uploadFile(name, file) {
      try {
        const { act } = await take(name, 'uploadFile')
        if (!act) throw new Error(`${label} uploads no ${name}`)
        return await act(file)
      } finally {
        file.body.destroy()
      }
    },
    async find(name, sought) {
      const { entity, act } = await take(name, 'find')
      if (sought.length === 0) return []
      return act ? act(sought) : findRecords(await lookUp(entity, name, sought), sought)
    },
    async remove(name, records, countOthers) {
      const { entity, act } = await take(name, 'remove')
      if (records.length === 0) return []
      if (act) return act(records, countOthers)
      const message = 'The tool deletes it only together with the record that it belongs to.'
      // The engine asks for such a removal if a record is there twice.
      if (!entity.look) return records.map(({ key }) => ({ key, result: 'kept', message }))
      return removeRecords(label, await lookUp(entity, name, records), records, countOthers)
    },
    async asStored(name, given) {
      const { entity, act } = await take(name, 'asStored')
      const content = names ? await names.inContent(given) : given
      return act ? act(content) : asStored(await declarationOf(entity), content)
    },
    async lossesOf(name, record, found) {
      const { act } = await take(name, 'lossesOf')
      return act ? act(names ? await names.inRecord(record) : record, found) : []
    },
  }
}

/** With any other key, a record that is sent again would be there twice. */
async function requireUpsert(name: string, { look }: WrittenEntity): Promise<void> {
  const { deliveryClass = 'A' } = (await look?.([]))?.key ?? {}
  if (deliveryClass !== 'A')
    throw new Error(`entities.${name}.capabilities.deliveryClass: its key is one of class ${deliveryClass}`)
}

const declarationOf = async ({ declared }: WrittenEntity) => (typeof declared === 'function' ? declared() : declared)
