import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { FileMissingError, ObstacleError, RetryableError } from '../errors.ts'
import { streamFromTool } from './call-tool.ts'
import type { Outbound, OutboundRequest, OutboundStream } from './outbound.ts'

const mostHops = 5
const mostResumes = 3
const redirects = [301, 302, 303, 307, 308]
/**
 * A storage host answers so when a file was deleted. To a request without our credentials, it says nothing about the
 * account.
 */
const forbidden = [401, 402, 403]

/**
 * Downloads a file that a tool may keep on another host. Redirects are followed, each through the address guard.
 * Headers with credentials never go to another host. A download that breaks off continues where it stopped, if the
 * server supports ranges. Bytes that contradict the server's checksum end in an error.
 *
 * Use it only for tools that document other hosts for their files. A redirect to a sign-in page would be downloaded as
 * the file.
 */
export async function downloadFile(
  outbound: Outbound,
  url: string,
  request: Pick<OutboundRequest, 'headers' | 'signal'>,
): Promise<OutboundStream> {
  const open = (headers: Record<string, string>) => followRedirects(outbound, url, request, headers)
  const first = await open({})
  const held = { body: first.body }
  const body = Readable.from(readWhole(first, held, open, request.signal), { objectMode: false })
  // Closes the connection even if nobody reads the stream, because the account's turn lasts as long as the connection.
  body.once('close', () => held.body.on('error', () => {}).destroy())
  return { ...first, body }
}

async function followRedirects(
  outbound: Outbound,
  address: string,
  { headers = {}, signal }: Pick<OutboundRequest, 'headers' | 'signal'>,
  range: Record<string, string>,
): Promise<OutboundStream> {
  const home = new URL(address).origin
  let url = address
  // After the first redirect to another host no credentials are sent, even if a later redirect leads back.
  let isHome = true
  for (let hop = 0; ; hop++) {
    const sent = { ...(isHome && headers), ...range }
    const isKnown = isHome && Object.keys(headers).length > 0
    const expected = isKnown ? redirects : [...redirects, ...forbidden]
    const answer = await streamFromTool(outbound, url, { headers: sent, signal }, expected)
    if (!isKnown && forbidden.includes(answer.status)) {
      answer.body.on('error', () => {}).destroy()
      throw new FileMissingError('another host withholds the file')
    }
    if (!redirects.includes(answer.status)) return answer
    answer.body.on('error', () => {}).destroy()
    url = nextOf(url, answer.headers.location)
    if (hop === mostHops) throw astray(`its address leads on more than ${mostHops} times`)
    isHome &&= new URL(url).origin === home
  }
}

function nextOf(from: string, location: string | string[] | undefined): string {
  const next = typeof location === 'string' ? URL.parse(location, from) : null
  if (!next || !/^https?:$/.test(next.protocol)) throw astray('its address leads nowhere')
  if (next.username !== '' || next.password !== '') throw astray('its address leads to one with a password')
  if (from.startsWith('https:') && next.protocol === 'http:')
    throw astray('its address leads to one without encryption')
  return next.href
}

const astray = (why: string) =>
  new RetryableError(`a file cannot be downloaded: ${why}`, {
    obstacle: new ObstacleError('tool_broken', 'operator', `A file of the tool cannot be downloaded: ${why}.`),
  })

async function* readWhole(
  first: OutboundStream,
  held: { body: Readable },
  open: (headers: Record<string, string>) => Promise<OutboundStream>,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const { headers } = first
  const told = checksumOf(headers)
  const hash = told && createHash(told.algorithm)
  let bytes = 0
  for (let resumes = 0; ; resumes++) {
    try {
      for await (const part of held.body) {
        bytes += (part as Buffer).length
        hash?.update(part as Buffer)
        yield part as Buffer
      }
      break
    } catch (error) {
      const from = resumes < mostResumes && !signal.aborted ? resumeFrom(headers, bytes) : null
      if (!from) throw error
      const next = await open(from)
      if (!isContinued(next, bytes)) {
        next.body.on('error', () => {}).destroy()
        throw error
      }
      held.body = next.body
    }
  }
  if (hash && hash.digest('base64') !== told.value) {
    throw new RetryableError('a file that was downloaded is not the one that the tool has told the checksum of')
  }
}

const lineOf = (value: string | string[] | undefined): string => (typeof value === 'string' ? value : '')

/** Headers that request the rest of the same bytes; null if the server cannot guarantee them. */
function resumeFrom(headers: OutboundStream['headers'], bytes: number): Record<string, string> | null {
  const etag = lineOf(headers.etag)
  // A weak etag does not guarantee the same bytes.
  const isSame = /^"[^"]*"$/.test(etag) ? etag : null
  if (isSame === null || lineOf(headers['accept-ranges']).toLowerCase() !== 'bytes') return null
  // Offsets in compressed bytes would be different.
  if (lineOf(headers['content-encoding']) !== '') return null
  return { range: `bytes=${bytes}-`, 'if-range': isSame }
}

const isContinued = ({ status, headers }: OutboundStream, bytes: number): boolean =>
  status === 206 && lineOf(headers['content-range']).startsWith(`bytes ${bytes}-`)

interface Checksum {
  algorithm: 'sha512' | 'sha256' | 'md5'
  /** The checksum in Base64. */
  value: string
}

/** The best checksum of the whole file in the headers (RFC 9530 and older ones). */
function checksumOf(headers: OutboundStream['headers']): Checksum | null {
  if (lineOf(headers['content-encoding']) !== '') return null
  const fields = [headers['repr-digest'], headers['content-digest'], headers.digest].map(lineOf).join(',')
  for (const algorithm of ['sha512', 'sha256', 'md5'] as const) {
    const name = algorithm === 'md5' ? 'md5' : algorithm.replace('sha', 'sha-')
    const value = new RegExp(`(?:^|,)\\s*${name}=:?([A-Za-z0-9+/]+={0,2}):?`, 'i').exec(fields)?.[1]
    if (value !== undefined) return { algorithm, value }
  }
  const md5 = lineOf(headers['content-md5'])
  return /^[A-Za-z0-9+/]{22}==$/.test(md5) ? { algorithm: 'md5', value: md5 } : null
}
