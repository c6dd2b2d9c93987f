import { Readable } from 'node:stream'
import { expect } from 'vitest'
import type {
  FoundRecord,
  OutgoingFile,
  OutgoingRecord,
  SentRelation,
  WriteOutcome,
  Writer,
} from '../../service/src/connectors/contract/contract.ts'
import { hashRecord, isAsSent } from '../../service/src/engine/hash-record.ts'
import { convertText } from '../../service/src/text/convert-text.ts'
import { present } from './wordpress-site.ts'

export type Written = WriteOutcome & { result: 'written' }
export interface Made {
  entity: string
  key: string
  destinationId: string
  version: string | null
}

export const oddTexts = [
  '🚀 emoji 👩‍👩‍👧‍👦 𝔘𝔫𝔦',
  'עברית וערבית مرحبا',
  '<script>alert(1)</script> & &amp; &lt; "quotes" \'single\'',
  '**md** _x_ [link](http://x) `code` # h\n\n* list\n> quote',
  'h1. textile "l":http://x *b* @c@ |table|',
  'back\\slash \\n %20 100%ab [gallery ids="1"] [caption]x[/caption]',
  'a\n\nb\r\nc\td   e',
]

export const toHtml = (plain: string): string => convertText({ format: 'plain', body: plain }, 'html').body
export const relationTo = (entity: string, { key, destinationId }: Written): SentRelation => ({
  entity,
  key,
  destinationId,
})

/**
 * Writes records with a real writer, finds them again only by our key, and compares them with the promise of
 * `asStored`.
 */
export function createRoundTrip(writer: Writer, prefix: string, unmarked: readonly string[] = []) {
  let count = 0
  const made: Made[] = []
  const outgoing = (fields: Record<string, unknown>, more: Partial<OutgoingRecord> = {}): OutgoingRecord => {
    count += 1
    return {
      key: `${prefix}/${count}`,
      revision: 1,
      destinationId: null,
      createdBy: null,
      fields,
      customFields: {},
      createdAt: '2016-02-29T12:34:56.789Z',
      updatedAt: null,
      ...more,
    }
  }
  const file = (
    fileName: string,
    data: Buffer,
    fields: Record<string, unknown> = {},
    more: Partial<OutgoingFile> = {},
  ): OutgoingFile => ({
    ...outgoing({ file_name: fileName, ...fields }),
    size: data.length,
    contentType: 'application/octet-stream',
    body: Readable.from([data]),
    ...more,
  })
  /** Remembers the record for the final removal; a rewritten record has a new version. */
  const note = (entity: string, outcome: WriteOutcome | undefined): Written => {
    if (outcome?.result !== 'written') throw new Error(`not written: ${JSON.stringify(outcome)}`)
    const { key, destinationId, version } = outcome
    const known = made.find((record) => record.entity === entity && record.destinationId === destinationId)
    if (known) known.version = version
    else made.push({ entity, key, destinationId, version })
    return outcome
  }
  const find = (entity: string, key: string, destinationId: string | null = null) =>
    writer.find(entity, [{ key, destinationId, parent: null }])
  const compare = async (entity: string, sent: OutgoingRecord, found: FoundRecord | undefined) => {
    const stored = await writer.asStored(entity, sent)
    // The first check is readable for people, the second is the engine's own.
    expect(filled(present(found).fields), sent.key).toEqual(filled(stored.fields))
    expect(isAsSent(hashRecord(stored), present(found)), sent.key).toBe(true)
  }
  const write = async (entity: string, records: OutgoingRecord[]): Promise<Written[]> => {
    const outcomes = await writer.write(entity, records)
    expect(outcomes.map(({ key }) => key)).toEqual(records.map(({ key }) => key))
    return outcomes.map((outcome) => note(entity, outcome))
  }
  const roundTrip = async (entity: string, records: OutgoingRecord[]): Promise<Written[]> => {
    const outcomes = await write(entity, records)
    for (const [index, record] of records.entries()) {
      const { destinationId, version } = present(outcomes[index])
      // Records without a marker can be found only by id.
      const found = await find(entity, record.key, unmarked.includes(entity) ? destinationId : null)
      expect(found, record.key).toHaveLength(1)
      await compare(entity, record, found[0])
      expect(found[0]).toMatchObject({ destinationId, version })
    }
    return outcomes
  }
  /** Removes all records, children first, as an undo does. Returns the keys of the records that were kept. */
  const removeAll = async (): Promise<string[]> => {
    const kept: string[] = []
    for (const entity of ['subscribers', 'comments', 'pages', 'posts', 'categories', 'tags', 'media']) {
      const ours = made.filter((record) => record.entity === entity).map((record) => ({ ...record, parent: null }))
      // WordPress has no subscribers.
      if (ours.length === 0) continue
      for (let at = 0; at < ours.length; at += 25) {
        for (const outcome of await writer.remove(entity, ours.slice(at, at + 25))) {
          if (outcome.result === 'kept') kept.push(outcome.key)
        }
      }
      const gone = ours.filter(({ key }) => !kept.includes(key)).slice(0, 3)
      const again = await writer.remove(entity, gone)
      expect(again.map(({ result }) => result)).toEqual(gone.map(() => 'missing'))
    }
    return kept
  }
  return { made, outgoing, file, note, find, compare, write, roundTrip, removeAll }
}

const isEmpty = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
const filled = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => !isEmpty(value)))
