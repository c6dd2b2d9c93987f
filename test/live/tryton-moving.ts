import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Reader } from '../../service/src/connectors/contract/contract.ts'
import { hashRecord } from '../../service/src/engine/hash-record.ts'
import type { FamilyRecord } from '../../service/src/families/record.ts'
import { readAll } from '../connectors/reader-contract.ts'
import type { LiveTryton } from './tryton-accounts.ts'
import { entities, findAll, type Moved, moveAll, readEntity, toRemovable } from './tryton-move.ts'

/** Copies all of one Tryton into another, copies it again, and removes it again. */
export function describeMove(live: LiveTryton): void {
  describe('a move from one Tryton to another', () => {
    let moved: Map<string, Moved>
    let before: Record<string, number | null>
    const of = (entity: string) => [...moved.values()].filter(({ record }) => record.entity === entity)
    const countThere = () => live.copyReader().count()

    test('every record is written, or met again', async () => {
      before = await countThere()
      moved = await moveAll(live.reader(), live.writer(), 'imp_live')
      const outcomes = [...moved.values()].map(({ outcome }) => outcome)
      expect(outcomes.filter(({ result }) => result === 'refused')).toEqual([])
      expect(of('accounts').map(({ outcome }) => outcome.result)).not.toContain('matched')
      expect(new Set(of('stages').map(({ outcome }) => outcome.result))).toEqual(new Set(['matched']))
    })

    test('found records equal the predicted ones', async () => {
      const open = live.writer()
      for (const entity of ['tags', 'accounts', 'contacts', 'relationships', 'deals', 'notes', 'attachments']) {
        const written = of(entity).filter(({ outcome }) => outcome.result === 'written')
        const found = await findAll(open, entity, written)
        for (const { outgoing, outcome } of written) {
          const record = found.get(outgoing.key)
          const stored = await open.asStored(entity, { ...outgoing, createdAt: null, updatedAt: null })
          expect(record, outgoing.key).toMatchObject(stored)
          if (!record) throw new Error('not found')
          expect(hashRecord(record)).toEqual(hashRecord(stored))
          expect(record.version).toBe(outcome.result === 'written' ? outcome.version : null)
        }
      }
    })

    const emails = async (open: Reader) => {
      const users = await readAll((cursor) => open.users(cursor))
      return (owner: unknown) => users.find(({ id }) => id === (owner as { userId?: string } | null)?.userId)?.email
    }

    test('nothing is lost on the way', async () => {
      const copy = live.copyReader()
      const backTo = new Map(
        [...moved.values()].flatMap(({ record, outcome }) =>
          'destinationId' in outcome ? [[`${record.entity}/${outcome.destinationId}`, record]] : [],
        ),
      )
      const toSource = (value: unknown): unknown => {
        if (Array.isArray(value)) return value.map(toSource)
        if (typeof value !== 'object' || value === null || !('sourceId' in value)) return value
        const { entity, sourceId } = value as { entity: string; sourceId: string }
        return { entity, sourceId: backTo.get(`${entity}/${sourceId}`)?.sourceId ?? `new ${sourceId}` }
      }
      const [emailThere, emailHere] = [await emails(copy), await emails(live.reader())]
      const compared: Record<string, number> = {}
      for (const entity of ['accounts', 'contacts', 'relationships', 'deals', 'notes', 'attachments']) {
        for (const record of await readEntity(copy, entity)) {
          const original = backTo.get(`${entity}/${record.sourceId}`)
          if (!original) continue
          const plain = comparable(record, toSource, emailThere)
          expect(plain, `${entity} ${record.sourceId}`).toEqual(comparable(original, (value) => value, emailHere))
          compared[entity] = (compared[entity] ?? 0) + 1
        }
      }
      expect(compared).toEqual(Object.fromEntries(Object.keys(compared).map((entity) => [entity, of(entity).length])))
      expect(Object.keys(compared)).toHaveLength(6)
    })

    test('files are there byte for byte', async () => {
      const copy = live.copyReader()
      const digest = async (open: typeof copy, record: FamilyRecord) => {
        const hash = createHash('sha256')
        for await (const chunk of (await open.openFile(record)).body) hash.update(chunk as Buffer)
        return hash.digest('hex')
      }
      expect(of('attachments')).toHaveLength(4)
      for (const { record, outcome } of of('attachments')) {
        const sourceId = 'destinationId' in outcome ? outcome.destinationId : ''
        expect(await digest(copy, { ...record, sourceId })).toBe(await digest(live.reader(), record))
      }
    })

    test('written again, nothing is doubled and nothing changes its place', async () => {
      const after = await countThere()
      const again = await moveAll(live.reader(), live.writer(), 'imp_live')
      expect(await countThere()).toEqual(after)
      for (const [name, { outcome }] of again) {
        const first = moved.get(name)?.outcome
        if (!('destinationId' in outcome) || !first || !('destinationId' in first))
          throw new Error(`${name} was refused`)
        expect(outcome.destinationId, name).toBe(first.destinationId)
      }
      // Tags and relationships are matched by content; the versions of other records may be newer now.
      for (const [name, entry] of again) {
        if (entry.outcome.result === 'written') moved.set(name, entry)
      }
    })

    test('removed, nothing of it is left, and what was there before still is', async () => {
      const open = live.writer()
      const written = (entity: string) => of(entity).filter(({ outcome }) => outcome.result === 'written')
      for (const entity of entities.toReversed()) {
        if (written(entity).length === 0) continue
        const outcomes = await open.remove(entity, written(entity).map(toRemovable))
        expect(
          outcomes.filter(({ result }) => result !== 'removed'),
          entity,
        ).toEqual([])
        const again = await open.remove(entity, written(entity).map(toRemovable))
        expect(new Set(again.map(({ result }) => result)), entity).toEqual(new Set(['missing']))
      }
      expect(await countThere()).toEqual(before)
      expect(await live.there().read('ir.note', [['message', 'like', '%wherry:imp\\_live%']], ['message'])).toEqual([])
    })
  })
}

/** Leaves out values that Tryton sets itself: ids, times, and the user who wrote the record. */
function comparable(
  { entity, fields, customFields }: FamilyRecord,
  toSource: (value: unknown) => unknown,
  emailOf: (owner: unknown) => unknown,
) {
  const { owner, author: _author, uploaded_by: _uploader, ...rest } = fields
  const values = Object.entries(rest).map(([key, value]) => [key, toSource(value)])
  const custom = Object.entries(customFields ?? {}).map(([key, { value }]) => [
    key,
    key === 'code' ? sameCode(String(value)) : withoutOrigin(value),
  ])
  const body = (rest.body as { body: string } | undefined)?.body
  return {
    entity,
    ...fromOneSide(Object.fromEntries(values)),
    ...(body === undefined ? {} : { body: withoutOrigin(body) }),
    owner: emailOf(owner),
    custom: Object.fromEntries(custom.filter(([, value]) => value !== '')),
  }
}

/** A relation is stored from both sides; the ids of the types decide which side is reported. */
function fromOneSide(fields: Record<string, unknown>): Record<string, unknown> {
  const { type, reverse_type, from, to } = fields
  if (typeof type !== 'string' || typeof reverse_type !== 'string' || type < reverse_type) return fields
  return { ...fields, type: reverse_type, reverse_type: type, from: to, to: from }
}

/** Removes our line about the author, which is new. */
const withoutOrigin = (value: unknown) =>
  typeof value === 'string' ? value.replace(/(^|\n\n)— [^\n]* UTC$/, '').trimEnd() : value

/** Removes the letters that are added to a code already in use. */
const sameCode = (code: string) => code.replace(/~[0-9a-f]{6}$/, '')
