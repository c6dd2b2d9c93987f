import { RetryableError } from '../../../errors.ts'
import type { Family } from '../../../families/index.ts'
import type {
  FoundRecord,
  OutgoingContent,
  OutgoingFile,
  RemovableRecord,
  RemoveOutcome,
  SentRelation,
  SoughtRecord,
  StoredContent,
  WriteOutcome,
} from '../../contract/contract.ts'
import { dropBytes, sendForm } from '../../kit/files.ts'
import { foundPart, storedPart } from '../../kit/found-parts.ts'
import { checkShape } from '../../kit/http.ts'
import { refused, written } from '../../kit/outcomes.ts'
import { recordsIn } from '../../kit/records-in.ts'
import { type HubObject, type HubspotApi, label, type ObjectType } from './api.ts'
import { hasFailed, passingFault, requireAll } from './faults.ts'
import { findByKeys, keyProperty } from './find-records.ts'
import { toObjectId } from './objects.ts'
import { filesName, keyName, makeOwnProperties } from './own-properties.ts'
import { fileIdsOf, fileNameOf, isActivity, partsOfFile } from './read-files.ts'
import { listShape } from './schema.ts'
import { keyOf } from './send-batch.ts'

// HubSpot shows a file at the activity that names it. A file of a company, contact, deal or ticket gets a note of its
// own.

interface Held {
  key: string
  id: string
  name: string
}
const heldIn = ({ properties }: HubObject): Held[] => {
  try {
    const held: unknown = JSON.parse(properties[filesName] ?? '[]')
    return Array.isArray(held) ? (held as Held[]) : []
  } catch {
    return []
  }
}
const names = ['hs_attachment_ids', filesName, keyName]
const wasDeleted = 'It was deleted in HubSpot after it had been imported.'
/**
 * Nobody can change a file. With a version, an undo asks for the removal without a look at the holder first: if an
 * earlier attempt removed only the holder, the file must go, too.
 */
const version = 'file'

async function holderOf(
  api: HubspotApi,
  family: Family,
  sought: Pick<SoughtRecord, 'key' | 'parent'>,
): Promise<{ type: ObjectType; holder: HubObject } | null> {
  const parent = sought.parent && toObjectId(family, sought.parent.entity, sought.parent.destinationId)
  if (!parent) return null
  const isOwn = isActivity(parent.type)
  const type = isOwn ? parent.type : 'notes'
  const [holder] = isOwn
    ? await api.byIds(type, names, [parent.id])
    : await findByKeys(api, type, [keyOf(sought.key)], names)
  return holder ? { type, holder } : null
}

const idOf = (type: ObjectType, holder: HubObject, fileId: string) => `${type}-${holder.id}-${fileId}`
/** Each file has a folder of its own, so a repeated upload replaces the first one. */
const folderOf = (key: string) => `/wherry/${keyOf(key)}`

/**
 * What a call that broke off has left: a file that nothing names, or a note without its file. A part that is missing has
 * the number 0.
 */
async function findHalf(api: HubspotApi, key: string, at: HubObject | undefined): Promise<string | null> {
  const [fileId] = (await api.folderAt(folderOf(key))).fileIds
  const note = at?.properties[keyName] === keyOf(key) ? at.id : null
  return fileId || note ? `notes-${note ?? 0}-${fileId ?? 0}` : null
}
const isHalf = (destinationId: string) => /-0(-|$)/.test(destinationId)

export async function writeHubspotFile(api: HubspotApi, family: Family, file: OutgoingFile): Promise<WriteOutcome> {
  const { key, destinationId, fields, createdAt } = file
  const parent = fields.parent as SentRelation | null | undefined
  const name = String(fields.file_name ?? 'file')
  try {
    const object = parent && toObjectId(family, parent.entity, parent.destinationId)
    if (!object) return refused(key, 'parent_missing', wasDeleted)
    const type = isActivity(object.type) ? object.type : 'notes'
    await makeOwnProperties(api, type)
    const known = destinationId === null || isHalf(destinationId) ? null : partsOfFile(destinationId)
    if (known) {
      const [holder] = await api.byIds(known.type, names, [known.id])
      // The bytes of a file never change; only its name can. A sending that broke off begins again.
      if (!holder || heldIn(holder).some((held) => held.key === keyOf(key))) {
        const there = await api.file(known.fileId)
        if (!holder || !there) return refused(key, 'gone', wasDeleted)
        if (fileNameOf(there) !== name) {
          const end = `.${there.extension}`
          const json = { name: name.endsWith(end) ? name.slice(0, -end.length) : name }
          const sent = await api.http.send('PATCH', `/files/v3/files/${known.fileId}`, { json })
          if (sent.result === 'refused') return refused(key, sent.code, sent.message)
        }
        await note(api, known.type, holder, { key: keyOf(key), id: known.fileId, name })
        return written(key, destinationId, { url: null, version })
      }
    }
    const options = {
      access: 'PRIVATE',
      overwrite: true,
      duplicateValidationStrategy: 'NONE',
      duplicateValidationScope: 'EXACT_FOLDER',
    }
    const form = {
      field: 'file',
      fileName: name,
      words: { folderPath: folderOf(key), fileName: name, options: JSON.stringify(options) },
      storedSize: (json: unknown) => {
        const size = (json as { size?: unknown } | null)?.size
        return typeof size === 'number' ? size : null
      },
    }
    const sent = await sendForm(label, file, form, (sending) => api.http.send('POST', '/files/v3/files', sending))
    if (sent.result === 'refused') return refused(key, sent.code, sent.message)
    const fileId = String((sent.json as { id?: unknown } | null)?.id ?? '')
    if (!/^\d+$/.test(fileId)) throw new RetryableError('HubSpot answered without an id')
    const holder = isActivity(object.type)
      ? (await api.byIds(type, names, [object.id]))[0]
      : await makeHolder(api, object, keyOf(key), createdAt)
    if (!holder) {
      // Nobody would find the file.
      await api.http.send('DELETE', `/files/v3/files/${fileId}`)
      return refused(key, 'parent_missing', wasDeleted)
    }
    await note(api, type, holder, { key: keyOf(key), id: fileId, name })
    return written(key, idOf(type, holder, fileId), { url: null, version })
  } finally {
    dropBytes(file)
  }
}

/**
 * Creates the note that shows the file of a company, contact, deal or ticket. Undefined if HubSpot does not link the
 * note: the record was deleted meanwhile.
 */
async function makeHolder(
  api: HubspotApi,
  parent: { type: ObjectType; id: string },
  key: string,
  createdAt: string | null,
): Promise<HubObject | undefined> {
  const find = async (id: string) => (await api.byIds('notes', names, [id]))[0]
  const [there] = await findByKeys(api, 'notes', [key], names)
  const holder = there ?? (await find(await makeNote(api, key, createdAt)))
  if (!holder) throw new RetryableError('HubSpot answered without an id')
  const inputs = [{ from: { id: holder.id }, to: { id: parent.id } }]
  const sent = await api.sendLinks('notes', parent.type, 'associate/default', inputs)
  if (!hasFailed(sent)) return holder
  const fault = passingFault(sent.json)
  if (fault) throw fault
  const json = { inputs: [{ id: holder.id }] }
  requireAll(await api.http.send('POST', `${api.objects('notes')}/batch/archive`, { json }))
  return undefined
}

/** Creates a note with our key and returns its id. Without a unique property, an upsert is not possible. */
async function makeNote(api: HubspotApi, key: string, createdAt: string | null): Promise<string> {
  const isUnique = (await keyProperty(api, 'notes'))?.hasUniqueValue === true
  const properties = { hs_timestamp: createdAt ?? new Date().toISOString(), hs_note_body: '', [keyName]: key }
  const how = isUnique ? { id: key, idProperty: keyName } : { associations: [] }
  const json = { inputs: [{ ...how, properties, objectWriteTraceId: key }] }
  const path = `${api.objects('notes')}/batch/${isUnique ? 'upsert' : 'create'}`
  const { results } = checkShape(label, listShape, requireAll(await api.http.send('POST', path, { json })).json, path)
  return recordsIn(label, results).map(({ id }) => String(id))[0] ?? ''
}

/** Adds a file to the list of its holder or removes it. The files of one holder are written one after the other. */
async function note(api: HubspotApi, type: ObjectType, holder: HubObject, file: Held, isGone = false): Promise<void> {
  const held = heldIn(holder)
  const others = held.filter(({ key }) => key !== file.key)
  const isReplaced = (id: string) => held.some((one) => one.id === id && one.key === file.key)
  const ids = fileIdsOf(holder).filter((id) => id !== file.id && !isReplaced(id))
  const properties = {
    hs_attachment_ids: [...ids, ...(isGone ? [] : [file.id])].join(';'),
    [filesName]: JSON.stringify([...others, ...(isGone ? [] : [file])]),
  }
  const inputs = [{ id: holder.id, properties }]
  const sent = await api.http.send('POST', `${api.objects(type)}/batch/update`, { json: { inputs } })
  requireAll(sent)
}

/** The content of a file that is compared. */
export const storedFile = ({ fields: { parent, file_name } }: OutgoingContent): StoredContent =>
  storedPart({
    file_name,
    ...((parent as SentRelation | null | undefined) && { parent: placeOf(parent as SentRelation) }),
  })
const placeOf = ({ entity, destinationId }: Pick<SentRelation, 'entity' | 'destinationId'>) =>
  `${entity} ${destinationId}`

export async function findFiles(
  api: HubspotApi,
  family: Family,
  sought: readonly SoughtRecord[],
): Promise<FoundRecord[]> {
  const found: FoundRecord[] = []
  for (const one of sought) {
    const isUnsure = one.destinationId === null || isHalf(one.destinationId)
    const known = isUnsure ? null : partsOfFile(String(one.destinationId))
    const [holder] = known ? await api.byIds(known.type, names, [known.id]) : []
    const at = known && holder ? { type: known.type, holder } : await holderOf(api, family, one)
    const held =
      at && heldIn(at.holder).find(({ key, id }) => key === keyOf(one.key) && fileIdsOf(at.holder).includes(id))
    const file = held && (await api.file(held.id))
    if (!at || !held || !file) {
      const destinationId = isUnsure ? await findHalf(api, one.key, at?.holder) : null
      if (destinationId !== null) found.push(foundPart(one.key, destinationId, {}, { version, isUnfinished: true }))
      continue
    }
    const content = { file_name: held.name, ...(one.parent && { parent: placeOf(one.parent) }) }
    const size = typeof file.size === 'number' && { fileSize: file.size }
    found.push(foundPart(one.key, idOf(at.type, at.holder, held.id), content, { version, ...size }))
  }
  return found
}

export async function removeFiles(api: HubspotApi, records: readonly RemovableRecord[]): Promise<RemoveOutcome[]> {
  const outcomes: RemoveOutcome[] = []
  for (const { key, destinationId } of records) {
    const known = partsOfFile(destinationId)
    const [holder] = known && known.id !== '0' ? await api.byIds(known.type, names, [known.id]) : []
    const file = known && known.fileId !== '0' ? await api.file(known.fileId) : null
    if (known && holder) {
      const isOwn = holder.properties[keyName] === keyOf(key)
      const json = { inputs: [{ id: holder.id }] }
      const sent = isOwn ? await api.http.send('POST', `${api.objects(known.type)}/batch/archive`, { json }) : null
      if (sent?.result === 'refused' && sent.status !== 404) {
        outcomes.push({ key, result: 'kept', message: `HubSpot does not delete it: ${sent.message}` })
        continue
      }
      if (sent?.result === 'done') requireAll(sent)
      if (!isOwn) await note(api, known.type, holder, { key: keyOf(key), id: known.fileId, name: '' }, true)
    }
    const sent = known && file ? await api.http.send('DELETE', `/files/v3/files/${known.fileId}`) : null
    if (sent?.result === 'refused' && sent.status !== 404) {
      outcomes.push({ key, result: 'kept', message: `HubSpot does not delete it: ${sent.message}` })
      continue
    }
    if (known) await removeFolder(api, folderOf(key), known.fileId)
    outcomes.push({ key, result: file ? 'removed' : 'missing' })
  }
  return outcomes
}

/** Removes the folder of a file, unless people put files or folders of their own into it. */
async function removeFolder(api: HubspotApi, path: string, fileId: string): Promise<void> {
  const { folderIds, fileIds } = await api.folderAt(path)
  if (fileIds.some((id) => id !== fileId)) return
  for (const id of folderIds)
    if (await api.isWithoutFolders(id)) await api.http.send('DELETE', `/files/v3/folders/${encodeURIComponent(id)}`)
}
