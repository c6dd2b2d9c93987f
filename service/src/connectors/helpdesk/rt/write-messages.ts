import { RetryableError } from '../../../errors.ts'
import { type FormFile, plainType } from '../../../outbound/stream-form.ts'
import type * as contract from '../../contract/contract.ts'
import { dropBytes } from '../../kit/files.ts'
import { onceEach } from '../../kit/once.ts'
import type { WrittenEntity } from '../../kit/open-writer.ts'
import { RefusedError, refusalsOf, refused, written } from '../../kit/outcomes.ts'
import { idOf } from '../../kit/sent-values.ts'
import { spoolFile } from '../../kit/spool-file.ts'
import { openBatch } from '../../kit/write-batch.ts'
import { label } from './api.ts'
import { nameOf } from './list-people.ts'
import { toMarker } from './marker.ts'
import { attachments, chooseFiles, comments, readBodies, withParts } from './messages.ts'
import { readOrigin, withOrigin } from './origin-line.ts'
import * as post from './post-messages.ts'
import { runForms } from './run-forms.ts'
import { toFileName, toMoment } from './stored-values.ts'

type Context = post.WriteContext

export function messageEntities(context: Context): Record<'comments' | 'attachments', WrittenEntity> {
  const withParent = { removal: 'with parent' as const, isUnchangeable: true }
  const message = 'Request Tracker does not let it be removed by itself.'
  const remove = async (records: readonly contract.RemovableRecord[]) =>
    records.map(({ key }) => ({ key, result: 'kept' as const, message }))
  return {
    comments: {
      declared: comments,
      offer: { ...withParent, required: ['ticket'], fields: { body: { isFixed: true } } },
      write: (records) => writeComments(context, records),
      find: (sought) => findMessages(context, 'comments', sought),
      remove,
      asStored: (content) => runForms('storedComment', content),
    },
    attachments: {
      declared: attachments,
      offer: { ...withParent, required: ['parent', 'file_name'] },
      writeFile: (file) => sendFile(context, file),
      find: (sought) => findMessages(context, 'attachments', sought),
      remove,
      asStored: storedFile,
    },
  }
}

async function findMessages(
  context: Context,
  entity: 'comments' | 'attachments',
  sought: readonly contract.SoughtRecord[],
): Promise<contract.FoundRecord[]> {
  const { api } = context
  const keys = new Map(sought.map(({ key }) => [toMarker(key), key]))
  const messages = await withParts(api, await post.findTransactions(api, [...keys.keys()]))
  const bodies = entity === 'comments' ? await readBodies(api, messages) : new Map()
  const found: contract.FoundRecord[] = []
  for (const { transaction, parts } of messages) {
    const { id, ObjectId, Type, marker } = transaction
    const { at, body } = readOrigin(bodies.get(id)?.body ?? '')
    const fields =
      entity === 'comments'
        ? { ticket: String(ObjectId), body: await runForms('comparableText', body), is_public: Type !== 'Comment' }
        : { file_name: toFileName(chooseFiles(parts)[0]?.Filename), is_private: Type === 'Comment' || null }
    found.push({
      ...{ key: keys.get(marker) ?? '', destinationId: id, url: urlOf(context, ObjectId, id), version: null },
      ...{ fields, customFields: {}, createdAt: entity === 'comments' ? at : null, updatedAt: null },
    })
  }
  return found
}

const urlOf = (context: Context, ticketId: unknown, id: string) =>
  `${post.ticketUrl(context, String(ticketId ?? ''))}#txn-${id}`

async function writeComments(
  context: Context,
  records: readonly contract.OutgoingRecord[],
): Promise<contract.WriteOutcome[]> {
  const batch = openBatch(records, post.ticketsAtOnce)
  const fresh = records.filter(({ destinationId }) => destinationId === null)
  const readName = onceEach((id: string) => nameInRt(context, id))
  const messages: post.OutgoingMessage[] = []
  for (const record of fresh) {
    const { key } = record
    const { ticket, body, isPublic, at } = await runForms('commentOf', record)
    const html = withOrigin({ number: null, author: await authorOf(record, readName), at }, body)
    messages.push({ key, ticketId: ticket ?? '', marker: toMarker(key), isPublic, html })
  }
  const posted = await post.postMessages(context, batch, messages)
  for (const { key, destinationId, fields } of records) {
    // A message never changes after it was written.
    const outcome = destinationId === null ? posted.get(toMarker(key)) : { id: destinationId }
    if (!outcome) continue
    if ('refused' in outcome) batch.settle(refused(key, 'not_recorded', outcome.refused))
    else batch.settle(written(key, outcome.id, { url: urlOf(context, idOf(fields.ticket), outcome.id), version: null }))
  }
  return batch.outcomes()
}

/** The name of a comment's author: an agent's name from the source, or the customer's name in Request Tracker. */
async function authorOf({ createdBy, fields }: contract.OutgoingRecord, readName: (id: string) => Promise<string>) {
  if (createdBy) return withAddress(createdBy.name, createdBy.email)
  const id = idOf(fields.author_contact) ?? fields.author_agent
  return typeof id === 'string' ? readName(id) : null
}

async function nameInRt({ api }: Context, id: string): Promise<string> {
  const raw = await api.one('user', `/user/${encodeURIComponent(id)}`)
  const name = raw ? nameOf(raw) : `User ${id}`
  return raw?.EmailAddress === name ? name : withAddress(name, raw?.EmailAddress)
}

const withAddress = (name: string, email: string | null | undefined) => (email ? `${name} <${email}>` : name)

/** Sends a file as a separate message, because Request Tracker adds no files to an existing message. */
async function sendFile(context: Context, file: contract.OutgoingFile) {
  const { key, createdAt, createdBy, destinationId } = file
  if (destinationId !== null) {
    dropBytes(file)
    // A written message never changes, and neither does its file.
    const { id } = refusalsOf(label).present(await findFile(context, destinationId))
    return writtenFile(context, key, destinationId, id)
  }
  // The request that reads the bytes reports an error of the source.
  file.body.on('error', () => {})
  await using cleanup = new AsyncDisposableStack()
  const prepared = await prepareFile(file, cleanup)
  const parent = await findParent(context, file.fields.parent as contract.SentRelation)
  const marker = toMarker(key)
  // A file never gets more readers than its message.
  const isPublic = file.fields.is_private !== true && !parent.isPrivate
  const html = withOrigin({ number: null, author: createdBy?.name ?? null, at: toMoment(createdAt) }, '')
  const batch = openBatch([file])
  const message = { key, ticketId: parent.ticketId, marker, isPublic, html, file: prepared }
  const outcome = (await post.postMessages(context, batch, [message])).get(marker)
  batch.rethrow()
  if (!outcome || 'refused' in outcome) {
    throw new RefusedError('not_recorded', outcome?.refused ?? 'It was not recorded.')
  }
  const stored = await findFile(context, outcome.id)
  if (Number(stored?.ContentLength ?? 0) !== prepared.size) throw new RefusedError('file_cut', fileCut)
  return writtenFile(context, key, outcome.id, stored?.id)
}

const fileCut =
  'Request Tracker kept only a part of this file. Raise MaxAttachmentSize, or switch off TruncateLongAttachments and DropLongAttachments.'

async function findFile({ api }: Context, id: string) {
  const [message] = await withParts(api, [{ id }])
  return chooseFiles(message?.parts ?? [])[0]
}

const writtenFile = ({ api }: Context, key: string, id: string, part: string | undefined) =>
  written(key, id, { url: `${api.base}/Ticket/Attachment/${id}/${part}/`, version: null })

export function storedFile({ fields }: contract.OutgoingContent): contract.StoredContent {
  const stored = { file_name: toFileName(fields.file_name), is_private: fields.is_private === true || null }
  return { fields: stored, customFields: {}, createdAt: null, updatedAt: null }
}

/**
 * Streams a file of known size directly. A text is stored on disk first: Request Tracker would change a text that is
 * not UTF-8.
 */
async function prepareFile(file: contract.OutgoingFile, cleanup: AsyncDisposableStack): Promise<FormFile> {
  const named = { field: 'Attach', fileName: toFileName(file.fields.file_name) }
  const bare = plainType((file.contentType ?? String(file.fields.content_type ?? '')).toLowerCase())
  const isText = /^(text|message|multipart)\//.test(bare)
  const contentType = /^(message|multipart)\//.test(bare) ? 'application/octet-stream' : bare
  if (file.size !== null && !isText) return { ...named, contentType, size: file.size, body: file.body }
  const { size, isUtf8, body } = await spoolFile(file.body, cleanup)
  if (size !== (file.size ?? size)) throw new RetryableError('a file of the source is not as long as was said')
  return { ...named, size, body, contentType: isUtf8 ? contentType : 'application/octet-stream' }
}

async function findParent({ api }: Context, { entity, destinationId }: contract.SentRelation) {
  if (entity === 'tickets') return { ticketId: destinationId, isPrivate: false }
  const raw = await api.one('transaction', `/transaction/${encodeURIComponent(destinationId)}?fields[Object]=id`)
  if (raw?.Object?.type !== 'ticket') throw new RefusedError('gone', 'The record of this file is not there.')
  return { ticketId: String(raw.Object.id), isPrivate: raw.Type === 'Comment' }
}
