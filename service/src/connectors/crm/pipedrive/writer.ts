import type { Account, OutgoingContent, OutgoingRecord, PreflightCheck, Writer } from '../../contract/contract.ts'
import { eachById } from '../../kit/find.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { dropNotes, namedEntity } from '../../kit/named-lists.ts'
import { openWriter, type WrittenEntity } from '../../kit/open-writer.ts'
import { tell } from '../../kit/preflight-check.ts'
import { writeEach } from '../../kit/write-each.ts'
import { asStored, toStored } from '../../kit/write-record.ts'
import { createPipedriveApi, type Kind, label } from './api.ts'
import * as all from './entities.ts'
import { isMarkedFile, isUnnamed, seekFiles, toFile, withPlace, writePipedriveFile } from './files.ts'
import { findUse, openLeads } from './find-use.ts'
import { withKeptTimes } from './places.ts'
import { listUsers, pathOf } from './reader.ts'
import { kindOf, openRecords } from './records.ts'
import { accountOf } from './schema.ts'
import { openLists } from './write-lists.ts'
import { openObjects, openStages } from './write-objects.ts'
import { isMarked, seekTexts, type TextEntity, textLosses, textStored, writeText } from './write-texts.ts'

const atOnce = Number.POSITIVE_INFINITY
const unchanging = { url: null, version: null }

export function openPipedriveWriter(account: Account): Writer {
  const api = createPipedriveApi(account)
  const records = openRecords(api)
  const objects = openObjects(api, records)
  const stages = openStages(api)
  const remove = (entity: string) => (id: string) => api.http.send('DELETE', `${pathOf[entity]}/${id}`)

  /** Fills in Pipedrive's defaults before the comparison: a record's owner, a deal's stage, an activity's subject. */
  const complete = async <C extends OutgoingContent>(entity: string, content: C): Promise<C> => {
    const { fields } = content
    const me = String((await api.me()).id)
    if (entity === 'notes') return { ...content, fields: { ...fields, author: fields.author ?? me } }
    const owned = { ...fields, owner: fields.owner ?? me }
    if (entity === 'deals') return { ...content, fields: { ...owned, ...(await stages.place(fields)) } }
    if (entity !== 'activities' || fields.subject) return { ...content, fields: owned }
    const type = (await api.activityTypes()).find(({ key_string }) => key_string === (fields.type ?? 'task'))
    return { ...content, fields: { ...owned, ...(type && { subject: type.name }) } }
  }

  function listEntities(): Record<string, WrittenEntity> {
    const rows = Object.entries(openLists(api, account.sides)).map(([name, list]): [string, WrittenEntity] => {
      const { write, look } = namedEntity(list, account.sides)
      const by = name === 'stages' ? ['name', 'pipeline'] : ['name']
      const offer = {
        ...{ required: by, unites: { kind: name, by }, capabilities: { batchSize: 1, concurrency: 1 } },
        ...(name === 'stages' && { fixedRelations: ['pipeline'] }),
      }
      const forgetful = (sent: OutgoingRecord[]) => {
        stages.forget()
        return write(sent)
      }
      return [name, { declared: list.entity, offer, write: forgetful, look }]
    })
    return Object.fromEntries(rows)
  }

  const objectEntity = (entity: string): WrittenEntity => ({
    declared: () => records.declaration(entity),
    offer: {
      customFields: 'any',
      required: 'family',
      capabilities: { backdate: entity !== 'deals' },
      ...(entity === 'contacts' && { fields: { emails: { isDetailed: true }, phones: { isDetailed: true } } }),
    },
    write: (sent) =>
      writeEach(sent, async (record) =>
        objects.write(entity, await complete(entity, record), objects.lossesOf(entity, record)),
      ),
    look() {
      const countLeads = openLeads(api)
      return {
        byIds: (ids) => objects.byIds(entity, ids),
        key: { atOnce, seek: (sought) => objects.seek(entity, sought), isOn: objects.isOn },
        toFound: async (raw) => ({
          ...(await objects.toStored(entity, raw)),
          ...{ ...unchanging, url: typeof raw.url === 'string' ? raw.url : null },
        }),
        findNeed: ({ id }) => findUse(api, kindOf[entity] as Kind, String(id), countLeads),
        remove: remove(entity),
      }
    },
    asStored: async (content) => objects.asStored(entity, await complete(entity, content)),
    lossesOf: async (record) => objects.lossesOf(entity, record),
  })

  const textEntity = (entity: TextEntity): WrittenEntity => ({
    declared: () => records.declaration(entity),
    offer: { required: 'family', capabilities: { backdate: entity === 'notes' } },
    write: (sent) =>
      writeEach(sent, async (record) => {
        const losses = await textLosses(records, entity, record)
        return writeText(api, records, entity, await complete(entity, record), losses)
      }),
    look() {
      const path = pathOf[entity] ?? ''
      const byIds = entity === 'notes' ? eachById((id) => api.one(`${path}/${id}`)) : api.byIds.bind(null, path)
      return {
        byIds: async (ids) => records.shape(entity, await byIds(ids)),
        key: {
          atOnce,
          seek: async (sought) => records.shape(entity, await seekTexts(api, entity, sought)),
          isOn: (raw, key) => isMarked(entity, raw, key),
        },
        toFound: async (raw) => ({ ...(await textStored(api, records, entity, raw)), ...unchanging }),
        remove: remove(entity),
      }
    },
    async asStored(content) {
      const whole = await complete(entity, content)
      const declared = await records.declaration(entity)
      if (entity === 'notes') return asStored(declared, whole)
      return asStored(declared, withKeptTimes(whole))
    },
    lossesOf: (record) => textLosses(records, entity, record),
  })

  const attachments: WrittenEntity = {
    declared: all.attachments,
    offer: { required: ['parent', 'file_name'] },
    writeFile: (file) => writePipedriveFile(api, file),
    look: () => ({
      byIds: eachById((id) => api.one(`${pathOf.attachments}/${id}`)),
      key: { atOnce, seek: (sought) => seekFiles(api, sought), isOn: isMarkedFile },
      toFound: (raw: RawRecord) => ({
        ...toStored(label, all.attachments, toFile(raw)),
        ...unchanging,
        ...(typeof raw.file_size === 'number' && { fileSize: raw.file_size }),
        ...(isUnnamed(raw) && { isUnfinished: true as const }),
      }),
      remove: remove('attachments'),
    }),
    asStored: async (content) => asStored(all.attachments, await withPlace(api, content)),
  }

  return openWriter(label, {
    async describe() {
      return {
        account: accountOf(await api.me()),
        textFormat: 'html',
        maxFileBytes: null,
        capabilities: {
          deliveryClass: 'C',
          delete: true,
          silentCreate: true,
          backdate: false,
          createField: true,
          batchSize: 10,
          concurrency: 4,
          settleMs: 0,
        },
      }
    },
    entities: async () => ({
      ...listEntities(),
      ...Object.fromEntries(Object.keys(kindOf).map((name) => [name, objectEntity(name)])),
      activities: textEntity('activities'),
      notes: textEntity('notes'),
      attachments,
    }),
    users: (cursor) => listUsers(api, cursor),
    preflight: async () => [automationNote, existingNote, stageNote],
    removeSides: dropNotes,
  })
}

/** Pipedrive's API does not list automations, so this note is always shown. */
const automationNote: PreflightCheck = {
  ...tell(
    'workflows',
    'Pipedrive sends no mail about imported records. Automations of this account may: switch off those that start with new records.',
  ),
  isFine: false,
}

const existingNote: PreflightCheck = tell(
  'existing_records',
  'People and organizations that Pipedrive already has are not looked for: they arrive a second time.',
  'Merge the duplicates in Pipedrive after the import, once you are sure that you will not undo it.',
)

const stageNote: PreflightCheck = tell(
  'deals_without_stage',
  'Deals without a stage arrive in the first stage of their pipeline: Pipedrive requires one.',
)
