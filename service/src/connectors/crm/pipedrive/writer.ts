import type {
  Account,
  DestinationDescription,
  DestinationEntity,
  OutgoingContent,
  OutgoingRecord,
  PreflightCheck,
  StoredContent,
  Writer,
} from '../../contract/contract.ts'
import { findRecords } from '../../kit/find.ts'
import type { Sent } from '../../kit/http.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { dropNotes, notedKey, removeNamed, writeNamed } from '../../kit/named-lists.ts'
import { removeRecords } from '../../kit/remove.ts'
import { openBatch } from '../../kit/write-batch.ts'
import { asStored, describeEntity, toStored } from '../../kit/write-record.ts'
import { createPipedriveApi, label } from './api.ts'
import * as all from './entities.ts'
import { isMarkedFile, seekFiles, toFile, withPlace, writePipedriveFile } from './files.ts'
import { withKeptTimes } from './places.ts'
import { listUsers, pathOf } from './reader.ts'
import { kindOf, openRecords } from './records.ts'
import { openLists } from './write-lists.ts'
import { openObjects, openStages } from './write-objects.ts'
import { isMarked, seekTexts, type TextEntity, writeText } from './write-texts.ts'

const batchSize = 10
const isText = (entity: string): entity is TextEntity => entity === 'activities' || entity === 'notes'

export function openPipedriveWriter(account: Account): Writer {
  const api = createPipedriveApi(account)
  const records = openRecords(api)
  const objects = openObjects(api, records)
  const stages = openStages(api)
  const lists = openLists(api)

  /** Pipedrive's own defaults are stated beforehand: a record's owner, and a deal's stage. */
  const complete = async <C extends OutgoingContent>(entity: string, content: C): Promise<C> => {
    const { fields } = content
    const me = String((await api.me()).id)
    if (entity === 'notes') return { ...content, fields: { ...fields, author: fields.author ?? me } }
    const owned = { ...fields, owner: fields.owner ?? me }
    return { ...content, fields: entity === 'deals' ? { ...owned, ...(await stages.place(fields)) } : owned }
  }
  const storedOf = async (entity: string, raw: RawRecord): Promise<StoredContent> => {
    if (lists[entity]) return toStored(label, lists[entity].entity, raw)
    if (entity === 'attachments') return toStored(label, all.attachments, toFile(raw))
    return kindOf[entity] ? objects.toStored(entity, raw) : toStored(label, await records.declaration(entity), raw)
  }
  const each = async (entity: string, ids: readonly string[]): Promise<RawRecord[]> => {
    const found: RawRecord[] = []
    for (const id of ids) {
      const raw = await api.one(`${pathOf[entity]}/${id}`)
      if (raw) found.push(raw)
    }
    return found
  }
  const byIds = async (entity: string, ids: readonly string[]): Promise<RawRecord[]> => {
    if (lists[entity]) return (await lists[entity].all()).filter(({ id }) => ids.includes(String(id)))
    if (kindOf[entity]) return objects.byIds(entity, ids)
    const raws = entity === 'activities' ? await api.byIds(pathOf.activities ?? '', ids) : await each(entity, ids)
    return isText(entity) ? records.shape(entity, raws) : raws
  }
  const keyOf = async (entity: string) => {
    const atOnce = Number.POSITIVE_INFINITY
    if (lists[entity]) return notedKey(lists[entity], account.sides)
    if (kindOf[entity]) {
      return { atOnce, seek: objects.seek.bind(null, entity), isOn: objects.isOn }
    }
    if (entity === 'attachments') return { atOnce, seek: seekFiles.bind(null, api), isOn: isMarkedFile }
    if (!isText(entity)) return { atOnce, seek: async () => [], isOn: () => false }
    return {
      atOnce,
      seek: async (sought: Parameters<typeof seekTexts>[2]) =>
        records.shape(entity, await seekTexts(api, entity, sought)),
      isOn: (raw: RawRecord, key: string) => isMarked(entity, raw, key),
    }
  }
  const writeOne = async (entity: string, record: OutgoingRecord) => {
    const whole = await complete(entity, record)
    return isText(entity) ? writeText(api, records, entity, whole) : objects.write(entity, whole)
  }

  return {
    describe,
    users: (cursor) => listUsers(api, cursor),
    async write(entity, sent) {
      if (lists[entity]) {
        stages.forget()
        return writeNamed(lists[entity], sent, account.sides)
      }
      const batch = openBatch(sent)
      await batch.attemptEach(
        sent,
        ({ key }) => [key],
        async (record) => batch.settle(await writeOne(entity, record)),
      )
      return batch.outcomes()
    },
    writeFile: (_entity, file) => writePipedriveFile(api, file),
    find: async (entity, sought) =>
      findRecords<RawRecord>(
        {
          byIds: (ids) => byIds(entity, ids),
          key: await keyOf(entity),
          toFound: async (raw) => ({
            ...(await storedOf(entity, raw)),
            url: typeof raw.url === 'string' && kindOf[entity] ? raw.url : null,
            version: null,
            ...(typeof raw.file_size === 'number' && { fileSize: raw.file_size }),
          }),
        },
        sought,
      ),
    async remove(entity, removable) {
      if (lists[entity]) return removeNamed(label, lists[entity], removable)
      return removeRecords<RawRecord>(
        {
          label,
          byIds: (ids) => byIds(entity, ids),
          versionOf: () => null,
          async send(some) {
            const answers: Sent[] = []
            for (const { destinationId } of some) {
              answers.push(await api.http.send('DELETE', `${pathOf[entity]}/${destinationId}`))
            }
            return answers
          },
        },
        removable,
      )
    },
    async asStored(entity, content) {
      if (lists[entity]) return asStored(lists[entity].entity, content)
      if (entity === 'attachments') return asStored(all.attachments, await withPlace(api, content))
      const whole = await complete(entity, content)
      if (kindOf[entity]) return objects.asStored(entity, whole)
      return asStored(await records.declaration(entity), entity === 'activities' ? withKeptTimes(whole) : whole)
    },
    preflight: async () => [automationNote],
    removeSides: dropNotes,
  }

  async function describe(): Promise<DestinationDescription> {
    const { company_id, company_name } = await api.me()
    const entities: Record<string, DestinationEntity> = {}
    for (const [name, { entity }] of Object.entries(lists)) {
      const isStage = name === 'stages'
      entities[name] = describeEntity(entity, {
        required: isStage ? ['name', 'pipeline'] : ['name'],
        capabilities: { batchSize: 1, concurrency: 1 },
        unites: { kind: name, by: isStage ? ['name', 'pipeline'] : ['name'] },
        ...(isStage && { fixedRelations: ['pipeline'] }),
      })
    }
    for (const name of [...Object.keys(kindOf), 'activities', 'notes']) {
      const entity = await records.declaration(name)
      entities[name] = describeEntity(entity, {
        customFields: kindOf[name] ? 'any' : [],
        required: Object.entries(entity.definition.fields).flatMap(([field, rule]) => (rule.required ? [field] : [])),
        capabilities: { backdate: ['accounts', 'contacts', 'notes'].includes(name) },
      })
    }
    const ways = entities.contacts?.fields
    for (const name of ['emails', 'phones']) if (ways?.[name]) ways[name].isDetailed = true
    entities.attachments = describeEntity(all.attachments, { required: ['parent', 'file_name'] })
    return {
      account: { name: company_name ?? `${label} ${company_id}`, id: String(company_id) },
      textFormat: 'html',
      maxFileBytes: null,
      capabilities: {
        deliveryClass: 'C',
        delete: true,
        silentCreate: true,
        backdate: false,
        createField: true,
        batchSize,
        concurrency: 4,
        settleMs: 0,
      },
      entities,
    }
  }
}

/** Nothing in the API tells which automations there are. */
const automationNote: PreflightCheck = {
  code: 'workflows',
  isFine: true,
  isBlocking: false,
  message:
    'Pipedrive sends no mail about imported records. Automations of this account may: switch off those that start with new records.',
}
