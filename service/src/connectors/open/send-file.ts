import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { RetryableError } from '../../errors.ts'
import { tapBytes } from '../../outbound/tap-bytes.ts'
import type { OutgoingFile, SentRelation, WriteOutcome } from '../contract/contract.ts'
import type { Api } from './api.ts'
import { breaksProtocol, outdated, unmet } from './break-protocol.ts'
import { fileRevisions, followsAsRecord } from './file-fields.ts'
import { toWire, type WireContent } from './to-wire.ts'

type Written = Extract<WriteOutcome, { result: 'written' }>

const plainType = /^[\w.+-]+\/[\w.+-]+(;\s*[\w-]+=("[ -!#-~]*"|[\w.+-]+))*$/

/** Streams a file, then sends the fields that `PUT /files` does not accept as a record. */
export async function sendFile(api: Api, entity: string, file: OutgoingFile): Promise<WriteOutcome> {
  const wire = toWire(file)
  const refuse = (code: string, message: string): WriteOutcome => ({ key: file.key, result: 'refused', code, message })
  const { body, finished, failure } = meter(file.body)
  try {
    const parameters = parametersOf(entity, file, wire)
    if (!parameters.file_name) return refuse('blank', 'The file has no name.')
    if (entity === 'attachments' && !parameters.parent) return refuse('blank', 'The file belongs to no record.')
    const answer = await upload(api, { ...file, body }, finished, parameters)
    if (!answer) return refuse('too_large', 'The destination says that this file is too large.')
    if (answer.result === 'refused') return refuse(answer.code, answer.message)
    if (answer.result === 'changed' || answer.result === 'missing') {
      return unmet('PUT /files', file.key, file.version, answer)
    }
    if (answer.result === 'outdated') throw outdated(fileRevisions.bytes(file.revision), answer)
    const { id: destinationId, url = null, version } = answer
    const written: Written = { key: file.key, result: 'written', destinationId, url, version }
    return await sendRest(api, entity, file, wire, written)
  } catch (error) {
    // When the source breaks off, the request fails too. The source's error is the cause, so we throw that one.
    throw failure() ?? error
  } finally {
    body.destroy()
    file.body.destroy()
  }
}

function parametersOf(
  entity: string,
  { key, revision, version, fields }: OutgoingFile,
  wire: WireContent,
): Record<string, string> {
  const { file_name, is_private, uploaded_by } = wire.fields
  const parent = fields.parent as SentRelation | undefined
  return {
    external_id: key,
    revision: String(fileRevisions.bytes(revision)),
    ...(version != null && { version }),
    entity,
    ...(parent && { parent_entity: parent.entity, parent: parent.key }),
    file_name: typeof file_name === 'string' ? file_name : '',
    ...(entity === 'attachments' && { inline: String(fields.is_inline === true) }),
    ...(typeof is_private === 'boolean' && { private: String(is_private) }),
    ...(typeof uploaded_by === 'string' && { uploaded_by }),
    ...(wire.created_at !== null && { created_at: wire.created_at }),
    ...(wire.updated_at !== null && { updated_at: wire.updated_at }),
  }
}

/**
 * Sends the bytes. The file counts as stored only if the destination has exactly these bytes. Null if the destination
 * does not accept a file of that size.
 */
async function upload(
  api: Api,
  { size, contentType, fields, body }: OutgoingFile,
  finished: () => { size: number; sha256: string } | null,
  parameters: Record<string, string>,
) {
  const type = [fields.content_type, contentType].find((one) => typeof one === 'string' && plainType.test(one))
  const headers = {
    'content-type': typeof type === 'string' ? type : 'application/octet-stream',
    ...(size !== null && { 'content-length': String(size) }),
  }
  const answer = await api.putFile(parameters, headers, body)
  if (!answer || (answer.result !== 'created' && answer.result !== 'updated')) return answer
  const sent = finished()
  if (!sent) throw new RetryableError('the destination answered before it had the whole file')
  if (answer.size !== sent.size || answer.sha256.toLowerCase() !== sent.sha256) {
    throw breaksProtocol(
      `PUT /files stored other bytes than we sent: ${answer.size} instead of ${sent.size}, or another sha256`,
    )
  }
  return answer
}

/**
 * Sends the following fields, such as the alternative text of a picture, if there are any. The file is complete only
 * with them.
 */
async function sendRest(
  api: Api,
  entity: string,
  { key, revision: sending, destinationId, version: before }: OutgoingFile,
  wire: WireContent,
  written: Written,
): Promise<WriteOutcome> {
  const fields = Object.fromEntries(Object.entries(wire.fields).filter(([name]) => followsAsRecord(name)))
  if (Object.keys(fields).length === 0 && Object.keys(wire.custom_fields).length === 0) return written
  const revision = fileRevisions.following(sending)
  // The version that the file got with its bytes.
  const version = before == null ? null : written.version
  const answer = await api.write(entity, [
    { external_id: key, revision, ...(version !== null && { version }), ...wire, fields },
  ])
  const [result] = answer ?? [{ result: 'refused' as const, code: 'too_large', message: 'Its fields are too large.' }]
  if (result?.result === 'updated') return { ...written, url: result.url ?? written.url, version: result.version }
  if (result?.result === 'changed' || result?.result === 'missing') return unmet('PUT /records', key, version, result)
  if (result?.result === 'outdated') throw outdated(revision, result)
  if (result?.result !== 'refused') throw breaksProtocol('PUT /records created a file, which only PUT /files may do')
  if (result.code === 'unknown_file') throw new RetryableError('the file was gone before its fields could follow')
  // The file counts as refused, so a new file must not stay. An earlier file stays, as after any refused change.
  if (destinationId === null)
    await api.remove(entity, [{ external_id: key, version: String(written.version), revision }])
  return { key, result: 'refused', code: result.code, message: result.message }
}

/** The same bytes. Their number and digest are known after the last one, and the error if the source breaks off. */
function meter(source: Readable) {
  const hash = createHash('sha256')
  let size = 0
  let sum: { size: number; sha256: string } | null = null
  let broken: unknown = null
  const body = tapBytes(source, {
    onPiece(piece) {
      hash.update(piece)
      size += piece.length
    },
    onEnd() {
      sum = { size, sha256: hash.digest('hex') }
    },
    onFailure(error) {
      broken = error
    },
  })
  return { body, finished: () => sum, failure: () => broken }
}
