import type {
  OutgoingContent,
  OutgoingFile,
  SentRelation,
  SoughtRecord,
  WriteOutcome,
} from '../../contract/contract.ts'
import { dropBytes, sendForm } from '../../kit/files.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { refused, written } from '../../kit/outcomes.ts'
import { readAll } from '../../kit/pages.ts'
import { label, largestPage, type PipedriveApi, recordIn } from './api.ts'
import { parentFields, relatedOf, toFileRecord } from './places.ts'
import { allFiles, filesUnder } from './reader.ts'
import { kindOf } from './records.ts'
import { hasSigns, nameWithSigns, signsOf, withoutSigns } from './signs.ts'
import { gone } from './write-objects.ts'

// A file is uploaded under a name that contains our key. Then the key moves to the description and the file gets its
// real name.

const path = '/api/v1/files'

/** Notes have no files in Pipedrive, so a note's file goes to the note's parent. */
async function placeOf(api: PipedriveApi, entity: string, id: string): Promise<{ entity: string; id: string } | null> {
  if (entity !== 'notes') return { entity, id }
  const note = await api.one(`/api/v1/notes/${id}`)
  const above = note && relatedOf(note)
  return above ? { entity: above.entity, id: above.sourceId } : null
}

/** Replaces the parent of a note's file with the note's parent. */
export async function withPlace(api: PipedriveApi, content: OutgoingContent): Promise<OutgoingContent> {
  const parent = content.fields.parent as SentRelation | null | undefined
  if (parent?.entity !== 'notes') return content
  const place = await placeOf(api, parent.entity, parent.destinationId)
  const moved = place ? { ...parent, entity: place.entity, destinationId: place.id } : parent
  return { ...content, fields: { ...content.fields, parent: moved } }
}

export async function writePipedriveFile(api: PipedriveApi, file: OutgoingFile): Promise<WriteOutcome> {
  const { key, destinationId, fields } = file
  const name = String(fields.file_name ?? 'file')
  const finish = async (id: string) => {
    const words = { name, description: `${fields.description ?? ''}${signsOf(key)}` }
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = new URLSearchParams(words).toString()
    const sent = await api.http.send('PUT', `${path}/${id}`, { headers, body })
    if (sent.result === 'refused') return sent.status === 404 ? gone(key) : refused(key, sent.code, sent.message)
    return written(key, id, { url: null, version: null })
  }
  try {
    // The bytes of a file never change; only its name and description can.
    if (destinationId !== null) return await finish(destinationId)
    const parent = fields.parent as SentRelation | null | undefined
    const place = parent ? await placeOf(api, parent.entity, parent.destinationId) : null
    if (!place) return refused(key, 'parent_missing', 'It was deleted in Pipedrive after it had been imported.')
    const form = {
      field: 'file',
      fileName: nameWithSigns(name, key),
      words: { [parentFields[place.entity] ?? '']: place.id },
      storedSize: (json: unknown) => {
        const size = recordIn(json).file_size
        return typeof size === 'number' ? size : null
      },
    }
    const sent = await sendForm(label, file, form, (sending) => api.http.send('POST', path, sending))
    if (sent.result === 'refused') return refused(key, sent.code, sent.message)
    return await finish(String(recordIn(sent.json).id))
  } finally {
    dropBytes(file)
  }
}

export const isMarkedFile = ({ name, file_name, description }: RawRecord, key: string) =>
  [name, file_name, description].some((text) => hasSigns(text, key))

/** Whether the file still has the name with our key, because a run stopped after the upload. */
export const isUnnamed = ({ name }: RawRecord) => withoutSigns(String(name ?? '')) !== String(name ?? '')

/** Removes our key from the name before the comparison. */
export const toFile = (raw: RawRecord): RawRecord => ({
  ...toFileRecord(raw),
  name: withoutSigns(String(raw.name ?? '')),
  description: withoutSigns(String(raw.description ?? '')),
})

export async function seekFiles(api: PipedriveApi, sought: readonly SoughtRecord[]): Promise<RawRecord[]> {
  const found: RawRecord[] = []
  const parents = new Map(sought.flatMap(({ parent }) => (parent ? [[JSON.stringify(parent), parent]] : [])))
  for (const { entity, destinationId } of parents.values()) {
    const place = await placeOf(api, entity, destinationId)
    const kind = place && kindOf[place.entity]
    if (place) found.push(...(await readAll(kind ? filesUnder(api, kind, place.id) : allFiles(api), largestPage)))
  }
  return found
}
