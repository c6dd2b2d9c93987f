import { answer, type TwinRequest } from '../answers.ts'
import { minuteMs } from '../clock.ts'
import type { Operation } from '../tool-twin.ts'
import { type Account, type Attachment, found, idOf, invalid } from './account.ts'
import { shapes } from './shapes.ts'

export interface Part {
  name: string
  fileName: string | null
  contentType: string
  bytes: Buffer
}

/** The parts of a form one by one, because several files may have the same name. */
export function partsOf({ headers, bytes }: TwinRequest): Part[] {
  const [, quoted, plain] = /boundary=(?:"([^"]+)"|([^;]+))/.exec(headers['content-type'] ?? '') ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) return []
  const parts: Part[] = []
  let from = bytes.indexOf(`--${boundary}`)
  while (from !== -1) {
    const start = from + boundary.length + 4
    const until = bytes.indexOf(`\r\n--${boundary}`, start)
    if (until === -1) break
    const headEnd = bytes.indexOf('\r\n\r\n', start)
    const head = bytes.subarray(start, headEnd).toString()
    const nameOf = (key: string) => new RegExp(`[ ;]${key}="((?:[^"\\\\]|\\\\.)*)"`).exec(head)?.[1]
    parts.push({
      name: decodeName(nameOf('name') ?? ''),
      fileName: nameOf('filename') === undefined ? null : decodeName(nameOf('filename') ?? ''),
      contentType: /content-type: *([^\r\n]+)/i.exec(head)?.[1] ?? 'application/octet-stream',
      bytes: bytes.subarray(headEnd + 4, until),
    })
    from = until + 2
  }
  return parts
}

/** Decodes names as browsers and our own client write them in forms. */
const decodeName = (name: string) =>
  name.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('\\"', '"')

const whole = /^(status|priority|source|visibility|type|.*_id)$/

/** A body in JSON or as a form. In a form every value is a text, and names give its place: `a[b]`, `a[]`. */
export function bodyOf(request: TwinRequest) {
  // biome-ignore lint/suspicious/noExplicitAny: the checker has compared JSON with the schema; forms have no types
  const body: Record<string, any> = request.form ? {} : { ...(request.json ?? {}) }
  const files: Part[] = []
  for (const part of request.form ? partsOf(request) : []) {
    const text = part.bytes.toString()
    const [, outer = part.name, inner] = /^(\w+)\[(\w*)\]$/.exec(part.name) ?? []
    if (part.fileName !== null) files.push(part)
    else if (inner === '') body[outer] = [...(body[outer] ?? []), text]
    else if (inner !== undefined) body[outer] = { ...body[outer], [inner]: text }
    else if (text === 'true' || text === 'false') body[outer] = text === 'true'
    else body[outer] = whole.test(outer) && /^\d+$/.test(text) ? Number(text) : text
  }
  return { body, files, isForm: request.form !== null }
}

export function keepFiles(account: Account, files: readonly Part[]): string[] {
  return files.map(({ fileName, contentType, bytes }) => {
    const id = account.nextId()
    const kept = { name: fileName ?? 'file', content_type: contentType, bytes: Buffer.from(bytes) }
    account.attachments.put({ id, ...kept, ...account.times() })
    return id
  })
}

export function filesOf(account: Account, ids: readonly string[]): Attachment[] {
  return ids.flatMap((id) => account.attachments.get(id) ?? [])
}

/** All files of one ticket together may have at most 20 MB. */
export function checkWeight(account: Account, before: readonly string[], files: readonly Part[]): void {
  const weight = (of: readonly { bytes: Buffer }[]) => of.reduce((sum, { bytes }) => sum + bytes.length, 0)
  if (weight(filesOf(account, before)) + weight(files) > account.mostBytes)
    invalid('attachments', 'The total size of the attachments cannot exceed 20 MB', { code: 'invalid_size' })
}

const openMs = 5 * minuteMs

/**
 * Addresses of files expire five minutes after the answer. Most begin at the account and are redirected twice; some
 * begin at the second host.
 */
export function presentFile(account: Account, file: Attachment) {
  const { bytes, ...kept } = file
  const until = account.clock.now() + openMs
  const isElsewhere = idOf(file) % 3 === 0
  return {
    ...kept,
    id: idOf(file),
    size: bytes.length,
    attachment_url: isElsewhere
      ? account.sign(bytes, file.content_type, { hops: 2 })
      : `${account.origin}/helpdesk/attachments/${file.id}/${until}`,
  }
}

export const presentFiles = (account: Account, ids: readonly string[]) =>
  filesOf(account, ids).map((file) => presentFile(account, file))

export function fileOperations(account: Account): Operation[] {
  const { attachments, clock } = account
  const redirect = (file: Attachment) =>
    answer(302, undefined, { location: account.sign(file.bytes, file.content_type, { hops: 1 }) })
  return [
    {
      ...shapes.file,
      act({ params }) {
        const file = found(attachments.get(String(params.id)))
        return clock.now() < Number(params.until) ? redirect(file) : { status: 403, body: 'Request has expired' }
      },
    },
    // Pictures in a text are in no list of attachments.
    { ...shapes.inline, act: ({ query }) => redirect(found(attachments.get(query.get('token')?.slice(2) ?? ''))) },
    {
      ...shapes.removeFile,
      act({ params }) {
        found(attachments.get(String(params.id)))
        attachments.remove(String(params.id))
        return answer(204)
      },
    },
  ]
}

/** The address of a picture in a text. */
export const inlineUrl = (account: Account, id: string): string => `${account.origin}/inline/attachment?token=ey${id}`
