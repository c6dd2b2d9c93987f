import type { Family } from '../../../families/index.ts'
import type {
  Account,
  DestinationDescription,
  DestinationEntity,
  FoundRecord,
  PreflightCheck,
  RemovableRecord,
  SoughtRecord,
  Writer,
} from '../../contract/contract.ts'
import { chunksOf, findRecords } from '../../kit/find.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { dropNotes, notedKey, removeNamed, writeNamed } from '../../kit/named-lists.ts'
import { removeRecords } from '../../kit/remove.ts'
import { describeEntity } from '../../kit/write-record.ts'
import { createHubspotApi, type HubObject, label, largestPage, type ObjectType } from './api.ts'
import { attachments, pipelines, stages } from './entities.ts'
import { findFiles, removeFiles, writeHubspotFile } from './files.ts'
import { listOwners } from './list-owners.ts'
import { openObjects, toObjectId, typesOf } from './objects.ts'
import { filledName, keyName, linksName } from './own-properties.ts'
import { openPipelines, pipelineAsStored, pipelineStored } from './pipelines.ts'
import { hasLinks, keyOf } from './send-batch.ts'
import { objectAsStored, objectStored, typeFor, writeObjects } from './write-objects.ts'

/** Time during which the search may miss a new record. */
const searchLagMs = 60_000

const isPipeline = (entity: string): entity is 'pipelines' | 'stages' => entity === 'pipelines' || entity === 'stages'

export function openHubspotWriter(account: Account, family: Family = 'crm'): Writer {
  const api = createHubspotApi(account)
  const objects = openObjects(api, family)
  const types = typesOf[family]

  /** Null while nothing of ours can be there. */
  const keyProperty = async (type: ObjectType) =>
    (await api.properties(type)).find(({ name }) => name === keyName) ?? null
  const byKeys = async (
    type: ObjectType,
    sought: readonly SoughtRecord[],
    names: readonly string[],
  ): Promise<HubObject[]> => {
    const property = await keyProperty(type)
    if (property === null) return []
    const keys = sought.map(({ key }) => keyOf(key))
    if (property.hasUniqueValue) return api.byIds(type, names, keys, keyName)
    return (await api.search(type, names, [{ propertyName: keyName, operator: 'IN', values: keys }], null, largestPage))
      .items
  }
  /** The compared properties of the objects. Archived objects count as deleted. */
  const load = async (
    type: ObjectType,
    ask: (names: readonly string[]) => Promise<HubObject[]>,
  ): Promise<HubObject[]> => {
    const first = await ask([...(await objects.declaration(type)).names, keyName, filledName, linksName])
    return objects.withLinks(type, first)
  }
  const ofType = <T extends { destinationId: string | null }>(entity: string, type: ObjectType, some: readonly T[]) =>
    some.filter(
      ({ destinationId }) => destinationId === null || toObjectId(family, entity, destinationId)?.type === type,
    )

  const writer: Writer = {
    describe: () => describeHubspot(),
    users: (cursor) => listOwners(api, cursor),
    async write(entity, records) {
      if (records.length === 0) return []
      if (!isPipeline(entity)) return writeObjects(api, objects, family, entity, records)
      objects.forgetPipelines()
      return writeNamed(openPipelines(api, entity), records, account.sides)
    },
    writeFile: (_entity, file) => writeHubspotFile(api, family, file),
    async find(entity, records) {
      if (entity === 'attachments') return findFiles(api, family, records)
      if (isPipeline(entity)) {
        const list = openPipelines(api, entity)
        const byIds = async (ids: readonly string[]) => (await list.all()).filter(({ id }) => ids.includes(String(id)))
        const toFound = (raw: RawRecord) => ({ ...pipelineStored(entity, raw), url: null, version: null })
        return findRecords({ byIds, key: await notedKey(list, account.sides), toFound }, records)
      }
      const found: FoundRecord[] = []
      for (const type of types[entity] ?? []) {
        const declared = await objects.declaration(type)
        const rules = {
          byIds: (ids: readonly string[]) =>
            load(type, (names) =>
              api.byIds(
                type,
                names,
                ids.flatMap((id) => toObjectId(family, entity, id)?.id ?? []),
              ),
            ),
          key: {
            atOnce: largestPage,
            // One that is half written is written again, instead of passing for one that people have changed.
            seek: async (sought: readonly SoughtRecord[]) =>
              (await load(type, (names) => byKeys(type, sought, names))).filter(hasLinks),
            isOn: (raw: object, key: string) => (raw as HubObject).properties[keyName] === keyOf(key),
          },
          toFound: async (raw: HubObject) => ({
            ...(await objectStored(api, declared, raw)),
            url: String(raw.url ?? '') || null,
            version: null,
          }),
        }
        const left = records.filter(({ key }) => !found.some((one) => one.key === key))
        found.push(...(await findRecords<HubObject>(rules, ofType(entity, type, left))))
      }
      return found
    },
    async remove(entity, records) {
      if (entity === 'attachments') return removeFiles(api, records)
      if (isPipeline(entity)) return removeNamed(label, openPipelines(api, entity), records)
      const outcomes = []
      for (const type of types[entity] ?? []) {
        const idsOf = (some: readonly Pick<RemovableRecord, 'destinationId'>[]) =>
          some.flatMap(({ destinationId }) => toObjectId(family, entity, destinationId)?.id ?? [])
        const rules = {
          label,
          byIds: async (ids: readonly string[]) =>
            (await api.byIds(type, [keyName], idsOf(ids.map((destinationId) => ({ destinationId }))))).map((raw) => ({
              ...raw,
              id: ids.find((id) => toObjectId(family, entity, id)?.id === raw.id) ?? raw.id,
            })),
          versionOf: () => null,
          async send(some: readonly RemovableRecord[]) {
            const answers = []
            for (const part of chunksOf(some, largestPage)) {
              const json = { inputs: idsOf(part).map((id) => ({ id })) }
              const sent = await api.http.send('POST', `${api.objects(type)}/batch/archive`, { json })
              answers.push(...part.map(() => sent))
            }
            return answers
          },
        }
        const some = ofType(entity, type, records)
        if (some.length > 0) outcomes.push(...(await removeRecords(rules, some)))
      }
      return outcomes
    },
    async asStored(entity, content) {
      if (isPipeline(entity)) return pipelineAsStored(api, entity, content)
      if (entity === 'attachments') {
        const { parent, file_name } = content.fields as {
          parent?: { entity: string; destinationId: string }
          file_name?: unknown
        }
        const fields = { file_name, ...(parent && { parent: `${parent.entity} ${parent.destinationId}` }) }
        return { fields, customFields: {}, createdAt: null, updatedAt: null }
      }
      return objectAsStored(api, await objects.declaration(typeFor(family, entity, content)), content)
    },
    preflight: async () => [workflowNote],
    removeSides: dropNotes,
  }

  async function describeHubspot(): Promise<DestinationDescription> {
    const { portalId } = await api.account()
    const entities: Record<string, DestinationEntity> = {}
    if (family === 'crm') {
      const capabilities = { deliveryClass: 'C' as const, batchSize: 1, concurrency: 1, backdate: false }
      entities.pipelines = describeEntity(pipelines, {
        required: ['name'],
        capabilities,
        unites: { kind: 'pipeline', by: ['name'] },
      })
      entities.stages = describeEntity(stages, {
        required: ['name'],
        capabilities,
        unites: { kind: 'stage', by: ['name', 'pipeline'] },
      })
    }
    for (const [entity, some] of Object.entries(types)) {
      const [type] = some
      if (!type) continue
      const declared = await objects.declaration(type)
      let isUnique = true
      for (const one of some) isUnique &&= (await keyProperty(one))?.hasUniqueValue !== false
      const described = describeEntity(declared, {
        customFields: 'any',
        required: Object.entries(declared.definition.fields).flatMap(([name, { required }]) =>
          required ? [name] : [],
        ),
        capabilities: {
          backdate: ['activities', 'notes', 'comments'].includes(entity),
          ...(!isUnique && { deliveryClass: 'C', settleMs: searchLagMs }),
        },
        ...(type === 'contacts' && { unites: { kind: 'contact', by: ['emails'] } }),
      })
      entities[entity] = {
        ...described,
        fields: Object.fromEntries(
          Object.entries(described.fields).map(([name, field]) => [name, asTaken(entity, name, field)]),
        ),
      }
    }
    const capabilities = { deliveryClass: 'C' as const, backdate: false, lane: 'parent' }
    entities.attachments = describeEntity(attachments[family === 'crm' ? 'crm' : 'helpdesk'], {
      required: ['parent', 'file_name'],
      capabilities,
    })
    return {
      account: { name: `HubSpot ${portalId}`, id: String(portalId) },
      textFormat: 'html',
      maxFileBytes: null,
      capabilities: {
        deliveryClass: 'A',
        delete: true,
        silentCreate: true,
        backdate: false,
        createField: true,
        batchSize: largestPage,
        concurrency: 4,
        settleMs: 0,
      },
      entities,
    }
  }
  return writer
}

/** A text with choices is one of them; the description of a ticket has no markup. */
function asTaken(entity: string, name: string, field: DestinationEntity['fields'][string]) {
  if (field.type === 'text' && field.options.length > 0) return { ...field, type: 'option' as const }
  return entity === 'tickets' && name === 'description' ? { ...field, type: 'long_text' as const } : field
}

/** Nothing in the API tells which workflows there are. */
const workflowNote: PreflightCheck = {
  code: 'workflows',
  isFine: true,
  isBlocking: false,
  message:
    'HubSpot sends no mail about imported records. Workflows of this account may: switch off those that start with new records.',
}
