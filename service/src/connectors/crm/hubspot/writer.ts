import type { Family } from '../../../families/index.ts'
import type {
  Account,
  DestinationField,
  FoundRecord,
  PreflightCheck,
  RemovableRecord,
  RemoveOutcome,
  SoughtRecord,
  Writer,
} from '../../contract/contract.ts'
import { chunksOf, findRecords } from '../../kit/find.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { namedEntity } from '../../kit/named-lists.ts'
import { openWriter, type WrittenEntity } from '../../kit/open-writer.ts'
import { tell } from '../../kit/preflight-check.ts'
import { idsIn } from '../../kit/records-in.ts'
import { removeRecords } from '../../kit/remove.ts'
import { describeEntity } from '../../kit/write-record.ts'
import { createHubspotApi, type HubObject, label, largestPage, type ObjectType } from './api.ts'
import { withoutAutomatic, withoutEnriched } from './automatic-values.ts'
import { attachments, pipelines, stages } from './entities.ts'
import { requireAll } from './faults.ts'
import { findFiles, removeFiles, storedFile, writeHubspotFile } from './files.ts'
import { findByKeys, findUse, keyProperty, searchLagMs } from './find-records.ts'
import { listOwners } from './list-owners.ts'
import { openObjects, toObjectId, typesOf } from './objects.ts'
import { filledName, keyName, linksName, refusedName } from './own-properties.ts'
import { openPipelines, pipelineAsStored, removeClosedStages, stageLosses } from './pipelines.ts'
import { isUnfinished, keyOf } from './send-batch.ts'
import { filledIn, objectAsStored, objectStored, typeFor, writeObjects } from './write-objects.ts'

export function openHubspotWriter(account: Account, family: Family = 'crm'): Writer {
  const api = createHubspotApi(account)
  const objects = openObjects(api, family)

  /** Records of a type that is not unique by our key are found by the search. */
  const searched = async (types: readonly ObjectType[]) => {
    for (const type of types)
      if ((await keyProperty(api, type))?.hasUniqueValue === false) return { settleMs: searchLagMs }
    return null
  }
  /** Loads objects with the properties that are compared. An archived object counts as deleted. */
  const load = async (
    type: ObjectType,
    ask: (names: readonly string[]) => Promise<HubObject[]>,
  ): Promise<HubObject[]> => {
    const { names, made } = await objects.declaration(type)
    const found = await ask([...names, keyName, filledName, linksName, refusedName])
    if (type !== 'contacts' && type !== 'companies') return objects.withLinks(type, found)
    const own = names.filter((name) => !made.has(name))
    const first = await withoutEnriched(api, type, found, (one) => [...own, ...filledIn(one)])
    const linked = await objects.withLinks(type, first)
    return type === 'contacts' ? withoutAutomatic(api, linked) : linked
  }

  function pipelineEntity(entity: 'pipelines' | 'stages'): WrittenEntity {
    const { write, look } = namedEntity(openPipelines(api, entity), account.sides)
    const by = entity === 'stages' ? ['name', 'pipeline'] : ['name']
    return {
      declared: entity === 'stages' ? stages : pipelines,
      offer: {
        required: ['name'],
        unites: { kind: entity === 'stages' ? 'stage' : 'pipeline', by },
        capabilities: { deliveryClass: 'C', batchSize: 1, concurrency: 1, backdate: false },
      },
      async write(records) {
        objects.forgetPipelines()
        return write(records)
      },
      look,
      asStored: (content) => pipelineAsStored(api, entity, content),
      ...(entity === 'stages' && { lossesOf: stageLosses }),
    }
  }

  function objectEntity(entity: string, types: readonly ObjectType[]): WrittenEntity {
    const [first] = types as [ObjectType]
    const idsOf = (ids: readonly string[]) => ids.flatMap((id) => toObjectId(family, entity, id)?.id ?? [])
    const ofType = <T extends { destinationId: string | null }>(type: ObjectType, some: readonly T[]) =>
      some.filter(
        ({ destinationId }) => destinationId === null || toObjectId(family, entity, destinationId)?.type === type,
      )
    const rulesOf = (type: ObjectType) => ({
      byIds: (ids: readonly string[]) => load(type, (names) => api.byIds(type, names, idsOf(ids))),
      key: {
        atOnce: largestPage,
        seek(sought: readonly SoughtRecord[]) {
          const keys = sought.map(({ key }) => keyOf(key))
          return load(type, (names) => findByKeys(api, type, keys, names))
        },
        isOn: (raw: object, key: string) => (raw as HubObject).properties[keyName] === keyOf(key),
      },
      toFound: async (raw: HubObject) => ({
        ...(await objectStored(api, await objects.declaration(type), raw)),
        url: String(raw.url ?? '') || null,
        version: null,
        ...(isUnfinished(raw) && { isUnfinished: true as const }),
      }),
    })
    const removalOf = (type: ObjectType) => ({
      async byIds(ids: readonly string[]) {
        const found = await api.byIds(type, [keyName], idsOf(ids))
        const uses = await findUse(api, type, idsIn(found))
        return found.map((raw) => ({
          ...raw,
          use: uses.get(raw.id) ?? null,
          id: ids.find((id) => toObjectId(family, entity, id)?.id === raw.id) ?? raw.id,
        }))
      },
      toFound: () => null,
      findNeed: async ({ use }: RawRecord) => use as string | null,
      async removeAll(ids: readonly string[]) {
        const answers = []
        for (const part of chunksOf(ids, largestPage)) {
          const json = { inputs: idsOf(part).map((id) => ({ id })) }
          const sent = await api.http.send('POST', `${api.objects(type)}/batch/archive`, { json })
          // Some may have stayed. They are found and archived by the next attempt.
          const done = sent.result === 'done' ? requireAll(sent) : sent
          answers.push(...part.map(() => done))
        }
        return answers
      },
    })
    return {
      declared: () => objects.declaration(first),
      async offer() {
        const declared = await objects.declaration(first)
        const described = Object.entries(describeEntity(declared).fields)
        const isSearched = await searched(types)
        return {
          customFields: 'any',
          required: 'family',
          fields: Object.fromEntries(described.map(([name, field]) => [name, asTaken(entity, name, field)])),
          capabilities: {
            backdate: ['activities', 'notes', 'comments'].includes(entity),
            ...(isSearched && { deliveryClass: 'C', ...isSearched }),
          },
          ...(first === 'contacts' && { unites: { kind: 'contact', by: ['emails'] } }),
        }
      },
      write: (records) => writeObjects(api, objects, family, entity, records, account.sides),
      async find(sought) {
        const found: FoundRecord[] = []
        for (const type of types) {
          const left = sought.filter(({ key }) => !found.some((one) => one.key === key))
          found.push(...(await findRecords<HubObject>(rulesOf(type), ofType(type, left))))
        }
        return found
      },
      async remove(records: readonly RemovableRecord[]) {
        const outcomes: RemoveOutcome[] = []
        for (const type of types) outcomes.push(...(await removeRecords(label, removalOf(type), ofType(type, records))))
        return outcomes
      },
      asStored: async (content) =>
        objectAsStored(api, await objects.declaration(typeFor(family, entity, content)), content),
    }
  }

  return openWriter(label, {
    async describe() {
      const { portalId } = await api.account()
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
      }
    },
    entities: async () => ({
      ...(family === 'crm' && { pipelines: pipelineEntity('pipelines'), stages: pipelineEntity('stages') }),
      ...Object.fromEntries(
        Object.entries(typesOf[family]).map(([entity, types]) => [entity, objectEntity(entity, types)]),
      ),
      attachments: {
        declared: attachments[family === 'crm' ? 'crm' : 'helpdesk'],
        offer: async () => ({
          required: ['parent', 'file_name'],
          // The file of a contact gets a note, which may have to be searched.
          capabilities: { deliveryClass: 'C', backdate: false, lane: 'parent', ...(await searched(['notes'])) },
        }),
        writeFile: (file) => writeHubspotFile(api, family, file),
        find: (sought) => findFiles(api, family, sought),
        remove: (records) => removeFiles(api, records),
        asStored: storedFile,
      },
    }),
    users: (cursor) => listOwners(api, cursor),
    preflight: async () => [workflowNote, companiesNote, existingNote],
    removeSides: (notes) => removeClosedStages(api, notes),
  })
}

/** A text with choices becomes an option. A ticket's description has no markup. */
function asTaken(entity: string, name: string, field: DestinationField): Partial<DestinationField> {
  if (field.type === 'text' && field.options.length > 0) return { type: 'option' }
  return entity === 'tickets' && name === 'description' ? { type: 'long_text' } : {}
}

/** HubSpot's API does not show this setting, which is on in many accounts. */
const companiesNote: PreflightCheck = {
  ...tell(
    'companies_of_contacts',
    'HubSpot can make a company for the address of each contact by itself. An undo does not remove these companies. Switch off "Create and associate companies with contacts" in the settings of companies.',
  ),
  isFine: false,
}

const existingNote: PreflightCheck = tell(
  'existing_records',
  'Companies that HubSpot already has are not looked for: they arrive a second time.',
  'Merge the duplicates in HubSpot after the import, once you are sure that you will not undo it.',
)

/** HubSpot's API does not list workflows, so this note is always shown. */
const workflowNote: PreflightCheck = {
  ...tell(
    'workflows',
    'HubSpot sends no mail about imported records. Workflows of this account may: switch off those that start with new records.',
  ),
  isFine: false,
}
