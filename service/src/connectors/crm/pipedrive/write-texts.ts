import { ObstacleError } from '../../../errors.ts'
import type { WriteLoss } from '../../../warnings/codes.ts'
import type {
  OutgoingContent,
  OutgoingRecord,
  SettledOutcome,
  SoughtRecord,
  StoredContent,
} from '../../contract/contract.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { refused, written } from '../../kit/outcomes.ts'
import { readAll } from '../../kit/pages.ts'
import { thatHold } from '../../kit/that-hold.ts'
import { toStored, writeRecord } from '../../kit/write-record.ts'
import { label, largestPage, type PipedriveApi, recordIn, requireDone } from './api.ts'
import { losesTime, parentFields, timesFor } from './places.ts'
import { pathOf } from './reader.ts'
import type { Records } from './records.ts'
import { hasSigns, refusedIn, refusedSigns } from './signs.ts'
import { gone, onlyNeeded, sendOwned } from './write-objects.ts'

// Writes activities and notes. Our key is appended to their text.

export type TextEntity = 'activities' | 'notes'
const bodyOf = { activities: 'note', notes: 'content' } as const
const personOf = { activities: 'owner_id', notes: 'user_id' } as const
const times = ['started_at', 'ended_at', 'due_at']

export const isMarked = (entity: TextEntity, raw: RawRecord, key: string) => hasSigns(raw[bodyOf[entity]], key)

export async function writeText(
  api: PipedriveApi,
  records: Records,
  entity: TextEntity,
  record: OutgoingRecord,
  foreseen: readonly WriteLoss[],
): Promise<SettledOutcome> {
  const { key, destinationId } = record
  const path = pathOf[entity] ?? ''
  const now = destinationId === null ? null : await api.one(`${path}/${destinationId}`)
  if (destinationId !== null && now === null) return gone(key)
  const { related, ...body } = writeRecord(await records.declaration(entity), record, { isWhole: true })
  for (const name of times) delete body[name]
  const { entity: parent = '', sourceId = '' } = (related ?? {}) as { entity?: string; sourceId?: string }
  // A person is sent as a participant, because an activity's `person_id` is read-only.
  const isPerson = entity === 'activities' && parent === 'contacts'
  const place = isPerson
    ? { participants: [{ person_id: Number(sourceId), primary: true }] }
    : { [parentFields[parent] ?? '']: Number(sourceId) }
  const moments = entity === 'activities' ? { due_date: null, due_time: null, duration: null, ...timesFor(record) } : {}
  // Attendees are never sent: Pipedrive would invite them.
  const json = onlyNeeded({ ...body, ...moments, ...(parent !== '' && place) }, now)
  const [text, who] = [bodyOf[entity], personOf[entity]]
  const { sent, losses: refusedParts } = await sendOwned(json, (some) => {
    const isReplaced = some[who] === undefined && json[who] !== undefined
    const left = isReplaced ? { ...some, [text]: `${some[text] ?? ''}${refusedSigns(json[who])}` } : some
    return now
      ? api.http.send(entity === 'notes' ? 'PUT' : 'PATCH', `${path}/${destinationId}`, { json: left })
      : api.http.send('POST', path, { json: left })
  })
  if (sent.result === 'refused') return refused(key, sent.code, sent.message)
  const raw = recordIn(sent.json)
  if (!isMarked(entity, raw, key)) await giveUp(api, `${path}/${raw.id}`, now === null)
  return written(key, raw.id, { url: null, version: null }, [...refusedParts, ...foreseen])
}

/** Losses that follow from the content alone. Only an administrator's account can name the author of a note. */
export async function textLosses(records: Records, entity: TextEntity, content: OutgoingContent): Promise<WriteLoss[]> {
  const isNote = entity === 'notes'
  const isNamed = isNote ? content.fields.author || !(await records.isAdmin()) : content.fields.owner
  return thatHold([!isNote && losesTime(content), 'moment_not_kept'], [!isNamed, 'person_chosen'])
}

/** A text without the person whom Pipedrive refused is compared as if it had that person. */
export async function textStored(
  api: PipedriveApi,
  records: Records,
  entity: TextEntity,
  found: RawRecord,
): Promise<StoredContent & { losses?: WriteLoss[] }> {
  const who = personOf[entity]
  const refusedId = refusedIn(found[bodyOf[entity]])
  const isReplaced = refusedId !== null && found[who] === (await api.me()).id
  const stored = toStored(label, await records.declaration(entity), isReplaced ? { ...found, [who]: refusedId } : found)
  return { ...stored, ...(isReplaced && { losses: ['person_replaced'] }) }
}

/**
 * Pipedrive removed our key, so the record could not be found again and might be written twice. A new record is
 * deleted.
 */
async function giveUp(api: PipedriveApi, path: string, isNew: boolean): Promise<never> {
  if (isNew) requireDone(await api.http.send('DELETE', path))
  const words = 'Pipedrive took the mark of our import out of a text, so nothing more can be written safely.'
  throw new ObstacleError('marker_missing', 'operator', words)
}

/** Reads the texts of these records' parents. A text without a parent is sought among the newest. */
export async function seekTexts(
  api: PipedriveApi,
  entity: TextEntity,
  sought: readonly SoughtRecord[],
): Promise<RawRecord[]> {
  const path = pathOf[entity] ?? ''
  const found: RawRecord[] = []
  const parents = new Set(sought.map(({ parent }) => (parent ? `${parent.entity}=${parent.destinationId}` : '')))
  for (const one of parents) {
    const [at = '', id = ''] = one.split('=')
    const query = { [parentFields[at] ?? '']: id }
    if (one !== '') {
      const walk = entity === 'notes' ? api.offsetList(path, { sort: 'id ASC', ...query }) : api.list(path, query)
      found.push(...(await readAll(walk, largestPage)))
    } else if (entity === 'activities') {
      found.push(...(await api.list(path, {}, 'desc')(null, largestPage)).items)
    }
  }
  return found
}
