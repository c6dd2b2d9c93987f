import { RetryableError } from '../../errors.ts'
import type { OutgoingContent, OutgoingFile, SentRelation, StoredContent, WriteOutcome } from '../contract.ts'
import { chooseFiles } from './choose-body.ts'
import { toMarker } from './marker.ts'
import { withOrigin } from './origin-line.ts'
import { postMessages, type WriteContext } from './post-messages.ts'
import { listParts } from './read-messages.ts'
import { takeFields } from './schema.ts'
import { spoolFile } from './spool-file.ts'
import { toFileName } from './stored-values.ts'
import type { FormFile } from './web-pages.ts'

const plainType = /^[\w.+-]+\/[\w.+-]+$/

/** A file comes as a message of its own: a message that is there takes no more files. */
export async function sendFile(context: WriteContext, file: OutgoingFile): Promise<WriteOutcome> {
  const { key, createdAt, createdBy, body } = file
  let sourceError: Error | null = null
  body.once('error', (error) => {
    sourceError = error
  })
  if (file.destinationId !== null) {
    body.on('error', () => {}).destroy()
    return keepFile(context, key, file.destinationId)
  }
  const prepared = await prepareFile(file)
  try {
    const parent = await findParent(context, file.fields.parent as SentRelation)
    if (!parent) return { key, result: 'refused', code: 'gone', message: 'What the file belongs to is not there.' }
    const marker = toMarker(key)
    // A file has never more readers than its message.
    const isPrivate = file.fields.is_private === true || parent.isPrivate
    const html = withOrigin({ number: null, author: createdBy?.name ?? null, at: toMoment(createdAt) }, '')
    const posted = await postMessages(context, [
      { ticketId: parent.ticketId, marker, isPublic: !isPrivate, html, file: prepared.file },
    ])
    const outcome = posted.get(marker)
    if (!outcome || 'refused' in outcome) {
      return { key, result: 'refused', code: 'not_recorded', message: outcome?.refused ?? 'It was not recorded.' }
    }
    const [stored] = chooseFiles((await listParts(context.api, [outcome.id])).get(outcome.id) ?? [])
    if (Number(stored?.ContentLength ?? 0) !== prepared.file.size) {
      const message =
        'Request Tracker kept only a part of this file. Raise MaxAttachmentSize, or switch off TruncateLongAttachments and DropLongAttachments.'
      return { key, result: 'refused', code: 'file_cut', message }
    }
    return written(context, key, outcome.id, stored?.id)
  } catch (error) {
    // When the source broke off, the request fails as a consequence; what happened there is what decides.
    throw sourceError ?? error
  } finally {
    body.destroy()
    await prepared.dispose()
  }
}

/** A message never changes once it is written, and neither does its file. */
async function keepFile(context: WriteContext, key: string, id: string): Promise<WriteOutcome> {
  const [stored] = chooseFiles((await listParts(context.api, [id])).get(id) ?? [])
  if (stored) return written(context, key, id, stored.id)
  return { key, result: 'refused', code: 'gone', message: 'It was deleted in Request Tracker since it was imported.' }
}

const written = ({ api }: WriteContext, key: string, id: string, part: string | undefined): WriteOutcome => ({
  key,
  result: 'written',
  destinationId: id,
  url: `${api.base}/Ticket/Attachment/${id}/${part}/`,
  version: null,
})

export function storedFile({ fields }: OutgoingContent): StoredContent {
  const name = typeof fields.file_name === 'string' ? fields.file_name : ''
  return {
    fields: { file_name: toFileName(name), is_private: fields.is_private === true || null },
    customFields: {},
    createdAt: null,
    updatedAt: null,
  }
}

/** Straight on when its size is known; a text is looked at first, for one in another encoding would be changed. */
async function prepareFile(file: OutgoingFile): Promise<{ file: FormFile; dispose(): Promise<void> }> {
  const name = toFileName(String(file.fields.file_name ?? ''))
  const given = file.contentType ?? String(file.fields.content_type ?? '')
  const bare = given.split(';')[0]?.trim().toLowerCase() ?? ''
  const isText = /^(text|message|multipart)\//.test(bare)
  const contentType = plainType.test(bare) && !/^(message|multipart)\//.test(bare) ? bare : 'application/octet-stream'
  if (file.size !== null && !isText) {
    return { file: { name, contentType, size: file.size, body: file.body }, dispose: async () => {} }
  }
  const { size, isUtf8, body, dispose } = await spoolFile(file.body)
  if (file.size !== null && file.size !== size) {
    await dispose()
    throw new RetryableError('a file of the source is not as long as was said')
  }
  return { file: { name, size, body, contentType: isUtf8 ? contentType : 'application/octet-stream' }, dispose }
}

async function findParent({ api }: WriteContext, { entity, destinationId }: SentRelation) {
  if (entity === 'tickets') return { ticketId: destinationId, isPrivate: false }
  const transaction = await api.get(`/transaction/${encodeURIComponent(destinationId)}?fields[Object]=id`)
  const ticket = transaction as { Object?: { type?: string; id?: string | number } } | null
  if (!transaction || ticket?.Object?.type !== 'ticket') return null
  const { raw } = takeFields('transaction', transaction)
  return { ticketId: String(ticket.Object.id), isPrivate: raw.Type === 'Comment' }
}

const toMoment = (moment: string | null): string | null =>
  moment === null || Number.isNaN(Date.parse(moment)) ? null : new Date(moment).toISOString()
