import { RetryableError } from '../../../errors.ts'
import { plainType } from '../../../outbound/stream-form.ts'
import type {
  OutgoingContent,
  OutgoingFile,
  SentRelation,
  SettledOutcome,
  StoredContent,
} from '../../contract/contract.ts'
import { refused } from '../../kit/outcomes.ts'
import { openBatch } from '../../kit/write-batch.ts'
import { chooseFiles } from './choose-body.ts'
import { toMarker } from './marker.ts'
import { withOrigin } from './origin-line.ts'
import { postMessages, type WriteContext } from './post-messages.ts'
import { withParts } from './read-messages.ts'
import { take } from './schema.ts'
import { spoolFile } from './spool-file.ts'
import { toFileName, toMoment } from './stored-values.ts'
import type { FormFile } from './web-pages.ts'

/** Sends a file as a separate message, because Request Tracker adds no files to an existing message. */
export async function sendFile(context: WriteContext, file: OutgoingFile): Promise<SettledOutcome> {
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
    if (!parent) return refused(key, 'gone', 'The record of this file is not there.')
    const marker = toMarker(key)
    // A file never gets more readers than its message.
    const isPrivate = file.fields.is_private === true || parent.isPrivate
    const html = withOrigin({ number: null, author: createdBy?.name ?? null, at: toMoment(createdAt) }, '')
    const batch = openBatch([file])
    const message = { key, ticketId: parent.ticketId, marker, isPublic: !isPrivate, html, file: prepared.file }
    const outcome = (await postMessages(context, batch, [message])).get(marker)
    batch.rethrow()
    if (!outcome || 'refused' in outcome) {
      return refused(key, 'not_recorded', outcome?.refused ?? 'It was not recorded.')
    }
    const stored = await findFile(context, outcome.id)
    if (Number(stored?.ContentLength ?? 0) !== prepared.file.size) {
      const why =
        'Request Tracker kept only a part of this file. Raise MaxAttachmentSize, or switch off TruncateLongAttachments and DropLongAttachments.'
      return refused(key, 'file_cut', why)
    }
    return written(context, key, outcome.id, stored?.id)
  } catch (error) {
    // If the source broke off, the request failed because of it, so the source's error counts.
    throw sourceError ?? error
  } finally {
    body.destroy()
    await prepared.dispose()
  }
}

/** A written message never changes, and neither does its file. */
async function keepFile(context: WriteContext, key: string, id: string): Promise<SettledOutcome> {
  const stored = await findFile(context, id)
  if (stored) return written(context, key, id, stored.id)
  return refused(key, 'gone', 'It was deleted in Request Tracker since it was imported.')
}

async function findFile({ api }: WriteContext, id: string) {
  const [message] = await withParts(api, [{ id }])
  return chooseFiles(message?.parts ?? [])[0]
}

const written = ({ api }: WriteContext, key: string, id: string, part: string | undefined): SettledOutcome => ({
  key,
  result: 'written',
  destinationId: id,
  url: `${api.base}/Ticket/Attachment/${id}/${part}/`,
  version: null,
})

export function storedFile({ fields }: OutgoingContent): StoredContent {
  const stored = { file_name: toFileName(fields.file_name), is_private: fields.is_private === true || null }
  return { fields: stored, customFields: {}, createdAt: null, updatedAt: null }
}

/**
 * Streams a file of known size directly. A text is stored on disk first: Request Tracker would change a text that is
 * not UTF-8.
 */
async function prepareFile(file: OutgoingFile): Promise<{ file: FormFile; dispose(): Promise<void> }> {
  const name = toFileName(file.fields.file_name)
  const bare = plainType((file.contentType ?? String(file.fields.content_type ?? '')).toLowerCase())
  const isText = /^(text|message|multipart)\//.test(bare)
  const contentType = /^(message|multipart)\//.test(bare) ? 'application/octet-stream' : bare
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
  return { ticketId: String(ticket.Object.id), isPrivate: take('transaction', transaction).Type === 'Comment' }
}
